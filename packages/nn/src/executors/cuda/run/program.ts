import { RlviError } from 'rlvi'
import { type Graph, sizeOf } from '../../../graph/graph.js'
import type { Feeds, Fetches, Program } from '../../executor.js'
import { checkFeeds } from '../../feeds.js'
import { checkIndices } from '../../indices.js'
import { out64, readPointer } from '../driver/library.js'
import type { Launch } from '../plan/launch.js'
import { type Plan, planGraph } from '../plan/plan.js'
import type { KernelCall } from '../source/kernel.js'
import { TABLE_THREADS, tableBytes } from '../source/tables.js'
import { type ChosenConvolution, chooseConvolution } from './convolutions.js'
import type { Device } from './device.js'
import { allocateMemory, type Memory } from './memory.js'
import { type ReadyProduct, readyProduct } from './products.js'
import type { CudaVariables } from './variables.js'

type Action = (stream: number) => void

/** Room for measuring and for matrix products. */
const PRODUCT_ROOM = 8 * 2 ** 20
const MEASURING_ROOM = 256 * 2 ** 20
/** Inputs and results of many steps are held ready up to this many bytes. */
const STAGED = 64 * 2 ** 20
const RELAXED = 2
const NO_TIMING = 2

/** A launch with the milliseconds that it takes alone. */
export interface LaunchTime {
  readonly kind: string
  readonly layer: string
  readonly what: string
  readonly ms: number
}

/** A program that can say where its time goes. */
export interface CudaProgram extends Program {
  /** The time of each launch, the median of some runs. Variables change as if steps were run. */
  profile(runs?: number): readonly LaunchTime[]
  /** Runs steps on the last feeds, one after the other without the host; milliseconds that the device took. */
  replay(steps: number): Promise<number>
}

/** Compiles a graph: plans it, compiles its kernels, chooses algorithms, and records all of it as one CUDA graph. */
export function compileProgram(device: Device, graph: Graph, variables: CudaVariables): CudaProgram {
  const plan = planGraph(graph, device.options.precision)
  const { driver } = device
  const undo: (() => void)[] = []
  const dispose = (): void => {
    for (const each of undo.splice(0).reverse()) each()
  }
  try {
    const stream = device.makeStream()
    undo.push(() => driver.cuStreamDestroy_v2(stream))
    const memory = allocateMemory(device, plan, variables)
    undo.push(() => memory.free())
    device.kernels.prepare(
      plan.launches.flatMap((launch) => (launch.kind === 'kernel' ? [launch.call.text] : [])),
    )
    const actions = actionsOf(device, plan, memory, stream, undo)
    device.cache.saveChoices()
    const side = device.makeStream()
    undo.push(() => driver.cuStreamDestroy_v2(side))
    const recorded = record(device, plan, actions, [stream, side])
    undo.push(() => driver.cuGraphExecDestroy(recorded))
    const program = runner(device, graph, variables, memory, stream, recorded, undo, dispose)
    return {
      ...program,
      profile: (runs = 5) => profileOf(device, plan, actions, stream, runs),
      replay: async (steps) =>
        device.time(
          stream,
          () => {
            for (let step = 0; step < steps; step++) driver.cuGraphLaunch(recorded, stream)
          },
          1,
        ),
    }
  } catch (error) {
    dispose()
    throw error
  }
}

/** The launches with all addresses and algorithms settled. */
function actionsOf(
  device: Device,
  plan: Plan,
  memory: Memory,
  stream: number,
  undo: (() => void)[],
): readonly Action[] {
  const room = device.allocate(MEASURING_ROOM)
  const products = [false, true].map((isBeside) => {
    const own = plan.launches.some((launch) => launch.kind === 'product' && plan.beside.has(launch) === isBeside)
    if (!own) return 0
    const address = device.allocate(PRODUCT_ROOM)
    undo.push(() => device.free(address))
    return address
  })
  const chosen = new Map<Launch, ChosenConvolution>()
  const ready = new Map<Launch, ReadyProduct>()
  try {
    for (const launch of plan.launches) {
      if (launch.kind === 'convolution') {
        const { convolution, plain } = launch
        const addresses = {
          x: memory.address(convolution.x),
          w: memory.address(convolution.w),
          y: memory.address(convolution.y),
        }
        // Compiled only where it is tried.
        let byHandReady: Action | undefined
        const byHand: Action = (on) => {
          if (!byHandReady) {
            device.kernels.prepare([plain.text])
            byHandReady = kernelAction(device, plain, memory)
          }
          byHandReady(on)
        }
        const measuring = { address: room, bytes: MEASURING_ROOM }
        const made = chooseConvolution(device, convolution, addresses, byHand, measuring, stream)
        undo.push(() => made.dispose())
        chosen.set(launch, made)
      } else if (launch.kind === 'product') {
        const { a, b, out, bias } = launch.product
        const made = readyProduct(
          device,
          launch.product,
          {
            a: memory.address(a),
            b: memory.address(b),
            out: memory.address(out),
            bias: bias && memory.address(bias),
            workspace: products[plan.beside.has(launch) ? 1 : 0],
            workspaceBytes: PRODUCT_ROOM,
          },
          stream,
        )
        undo.push(() => made.dispose())
        ready.set(launch, made)
      }
    }
    device.driver.cuStreamSynchronize(stream)
  } finally {
    device.free(room)
  }
  // What runs beside the others has room of its own.
  const roomFor = (isBeside: boolean): number => {
    const own = [...chosen].filter(([launch]) => plan.beside.has(launch) === isBeside)
    const address = device.allocate(Math.max(0, ...own.map(([, { workspace }]) => workspace)))
    undo.push(() => device.free(address))
    return address
  }
  const workspaces = [roomFor(false), roomFor(true)]
  const actions = plan.launches.map((launch): Action => {
    switch (launch.kind) {
      case 'kernel':
        return kernelAction(device, launch.call, memory)
      case 'convolution':
        return chosen.get(launch)!.ready(workspaces[plan.beside.has(launch) ? 1 : 0])
      case 'product':
        return ready.get(launch)!.run
      case 'table':
        return tableAction(device, launch, memory)
    }
  })
  // Libraries load their code when they first run, which must not happen while a graph is recorded.
  plan.launches.forEach((launch, i) => {
    if (launch.kind === 'convolution' || launch.kind === 'product') actions[i](stream)
  })
  device.driver.cuStreamSynchronize(stream)
  return actions
}

function kernelAction(device: Device, call: KernelCall, memory: Memory): Action {
  const addresses = call.slots.map((slot) => memory.address(slot))
  return launcher(device, device.kernels.function(call.text), call.grid, call.block, addresses)
}

function launcher(
  { driver, koffi }: Device,
  fn: number,
  grid: readonly [number, number, number],
  block: number,
  addresses: readonly number[],
): Action {
  const values = Buffer.from(BigUint64Array.from(addresses, BigInt).buffer)
  const pointers = Buffer.alloc(8 * addresses.length)
  const base = addresses.length === 0 ? 0n : koffi.address(values)
  addresses.forEach((_, i) => {
    pointers.writeBigUInt64LE(base + BigInt(8 * i), 8 * i)
  })
  return (stream) => {
    // The values must outlive the call, which reads them through their addresses.
    if (values.length < 0) return
    driver.cuLaunchKernel(fn, ...grid, block, 1, 1, 0, stream, pointers, null)
  }
}

function tableAction(device: Device, launch: Launch & { kind: 'table' }, memory: Memory): Action {
  const planned = launch.rows.map(({ addresses, lists = [], sizes, reals = [] }) => {
    const further = lists.map((list) =>
      memory.keep(new Uint8Array(BigUint64Array.from(list, (slot) => BigInt(memory.address(slot))).buffer)),
    )
    return { addresses: [...addresses.map((slot) => memory.address(slot)), ...further], sizes, reals }
  })
  const { table, pieces, blocks } = tableBytes(planned)
  const addresses = [memory.keep(table), memory.keep(pieces)]
  const fn = device.kernels.table(`table_${launch.table}`)
  return launcher(device, fn, [blocks, 1, 1], TABLE_THREADS, addresses)
}

/** All actions as one graph that is launched by one call; what may run beside the others is a branch of it. */
function record({ driver }: Device, plan: Plan, actions: readonly Action[], [main, side]: readonly [number, number]): number {
  const events: number[] = []
  /** What is done on one stream so far comes before what follows on the other. */
  const order = (before: number, after: number): void => {
    const made = out64()
    driver.cuEventCreate(made, NO_TIMING)
    const event = readPointer(made)
    events.push(event)
    driver.cuEventRecord(event, before)
    driver.cuStreamWaitEvent(after, event, 0)
  }
  driver.cuStreamBeginCapture_v2(main, RELAXED)
  const place = out64()
  try {
    let [isForked, isBehind] = [false, true]
    plan.launches.forEach((launch, i) => {
      if (i === plan.join && isForked) order(side, main)
      if (!plan.beside.has(launch)) {
        actions[i](main)
        isBehind = true
        return
      }
      if (isBehind) order(main, side)
      ;[isForked, isBehind] = [true, false]
      actions[i](side)
    })
  } finally {
    driver.cuStreamEndCapture(main, place)
    for (const event of events) driver.cuEventDestroy_v2(event)
  }
  const graph = readPointer(place)
  driver.cuGraphInstantiateWithFlags(place, graph, 0)
  const made = readPointer(place)
  driver.cuGraphDestroy(graph)
  return made
}

function runner(
  device: Device,
  graph: Graph,
  variables: CudaVariables,
  memory: Memory,
  stream: number,
  recorded: number,
  undo: (() => void)[],
  dispose: () => void,
): Program {
  const { driver, koffi } = device
  const { feeds, fetches } = memory
  const perStep = feeds.bytes + fetches.bytes
  const most = Math.max(1, Math.floor(STAGED / Math.max(1, perStep)))
  let staged: { address: number; view: ArrayBuffer; steps: number } | undefined
  const stage = (steps: number): { address: number; view: ArrayBuffer; steps: number } => {
    if (staged && staged.steps >= steps) return staged
    if (staged) driver.cuMemFreeHost(staged.address)
    else undo.push(() => staged && driver.cuMemFreeHost(staged.address))
    const place = out64()
    const bytes = Math.max(256, perStep * steps)
    driver.cuMemHostAlloc(place, bytes, 0)
    const address = readPointer(place)
    staged = { address, view: koffi.view(BigInt(address), bytes), steps }
    return staged
  }
  const put = (view: ArrayBuffer, at: number, given: Feeds): void => {
    for (const { name, tensor } of graph.feeds) {
      const { shape, dtype } = graph.tensors[tensor]
      const value = given[name]
      const place = at + feeds.offsets.get(name)!
      if (dtype === 'i32') new Int32Array(view, place, sizeOf(shape)).set(value as Int32Array)
      else new Float32Array(view, place, sizeOf(shape)).set(typeof value === 'number' ? [value] : value)
    }
  }
  const got = (view: ArrayBuffer, at: number): Fetches =>
    Object.fromEntries(
      graph.fetches.map(({ name, tensor }) => {
        const place = at + fetches.offsets.get(name)!
        return [name, new Float32Array(view, place, sizeOf(graph.tensors[tensor].shape)).slice()]
      }),
    )
  const runChunk = async (steps: readonly Feeds[]): Promise<readonly Fetches[]> => {
    const { address, view } = stage(steps.length)
    steps.forEach((given, i) => {
      put(view, i * perStep, given)
    })
    steps.forEach((_, i) => {
      const at = address + i * perStep
      if (feeds.bytes > 0) driver.cuMemcpyHtoDAsync_v2(feeds.address, at, feeds.bytes, stream)
      driver.cuGraphLaunch(recorded, stream)
      if (fetches.bytes > 0)
        driver.cuMemcpyDtoHAsync_v2(at + feeds.bytes, fetches.address, fetches.bytes, stream)
    })
    await device.wait(stream)
    return steps.map((_, i) => got(view, i * perStep + feeds.bytes))
  }
  const check = (given: Feeds): void => {
    checkFeeds(graph, given)
    checkIndices(graph, given)
    for (const { name } of graph.variables) {
      if (!variables.has(name)) throw new RlviError('run', 'the variables must not be disposed of', name)
    }
  }
  return {
    graph,
    variables,
    async run(given) {
      check(given)
      return (await runChunk([given]))[0]
    },
    async runMany(steps) {
      steps.forEach(check)
      const all: Fetches[] = []
      for (let at = 0; at < steps.length; at += most)
        all.push(...(await runChunk(steps.slice(at, at + most))))
      return all
    },
    async dispose() {
      dispose()
    },
  }
}

function profileOf(
  device: Device,
  plan: Plan,
  actions: readonly Action[],
  stream: number,
  runs: number,
): readonly LaunchTime[] {
  return plan.launches.map((launch, i) => ({
    kind: launch.kind,
    layer: launch.layer,
    what: describe(launch),
    ms: device.time(stream, () => actions[i](stream), runs, 8),
  }))
}

function describe(launch: Launch): string {
  switch (launch.kind) {
    case 'kernel':
      return launch.call.slots.map(({ layout }) => layout.shape.join('x')).join(' ')
    case 'convolution':
      return launch.convolution.direction
    case 'product':
      return [launch.product.rows, launch.product.inner, launch.product.columns].join('x')
    case 'table':
      return launch.table
  }
}
