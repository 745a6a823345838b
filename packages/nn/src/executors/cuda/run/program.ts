import { RlviError } from 'rlvi'
import { type Graph, showShape, sizeOf } from '../../../graph/graph.js'
import type { Feeds, Fetches, Program, StoredBatch, StoredImages } from '../../executor.js'
import { checkFeeds } from '../../feeds.js'
import { checkIndices } from '../../indices.js'
import { out64, readPointer } from '../driver/library.js'
import type { Launch } from '../plan/launch.js'
import { type Plan, planGraph } from '../plan/plan.js'
import { imagesSource } from '../source/images.js'
import type { KernelCall } from '../source/kernel.js'
import { TABLE_THREADS, tableBytes } from '../source/tables.js'
import { type ChosenConvolution, chooseConvolution } from './convolutions.js'
import type { Device } from './device.js'
import { allocateMemory, type Memory } from './memory.js'
import { type ReadyProduct, readyProduct } from './products.js'
import { bytesOf, type CudaVariables } from './variables.js'

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
    // Nothing is freed that a run which was given up may still use.
    const settle = (): void => void driver.status('cuStreamSynchronize', stream)
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
    const withImages = storedRecorder(device, graph, plan, actions, memory, [stream, side], undo)
    const program = runner(device, graph, variables, memory, stream, recorded, withImages, undo, dispose)
    undo.push(settle)
    return {
      ...program,
      profile: (runs = 5) => profileOf(device, plan, actions, stream, runs),
      replay: async (steps) =>
        device.elapsed(stream, () => {
          for (let step = 0; step < steps; step++) driver.cuGraphLaunch(recorded, stream)
        }),
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
    const own = plan.launches.some(
      (launch) => launch.kind === 'product' && plan.beside.has(launch) === isBeside,
    )
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
        const byHand = lateAction(device, plain, memory)
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
          lateAction(device, launch.plain, memory),
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
  const actionOf = (launch: Launch): Action => {
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
  }
  const actions = plan.launches.map(actionOf)
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

/** The same for a kernel that is compiled only where it is tried. */
function lateAction(device: Device, call: KernelCall, memory: Memory): Action {
  let ready: Action | undefined
  return (stream) => {
    if (!ready) {
      device.kernels.prepare([call.text])
      ready = kernelAction(device, call, memory)
    }
    ready(stream)
  }
}

function launcher(
  { driver, koffi }: Device,
  fn: number,
  grid: readonly [number, number, number],
  block: number,
  addresses: readonly number[],
): Action {
  // The call reads the values through their addresses, so they are kept as long as the action is.
  const kept = {
    values: Buffer.from(BigUint64Array.from(addresses, BigInt).buffer),
    pointers: Buffer.alloc(8 * addresses.length),
  }
  const base = addresses.length === 0 ? 0n : koffi.address(kept.values)
  addresses.forEach((_, i) => {
    kept.pointers.writeBigUInt64LE(base + BigInt(8 * i), 8 * i)
  })
  return (stream) => driver.cuLaunchKernel(fn, ...grid, block, 1, 1, 0, stream, kept.pointers, null)
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
function record(
  { driver }: Device,
  plan: Plan,
  actions: readonly Action[],
  [main, side]: readonly [number, number],
  first?: Action,
): number {
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
    first?.(main)
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

/** The same graph with a kernel before it that makes `x` of stored images; recorded when first asked for. */
function storedRecorder(
  device: Device,
  graph: Graph,
  plan: Plan,
  actions: readonly Action[],
  memory: Memory,
  streams: readonly [number, number],
  undo: (() => void)[],
): (images: StoredImages) => number {
  const recorded = new Map<Uint8Array, number>()
  const feed = graph.feeds.find(({ name }) => name === 'x')
  return (images) => {
    const known = recorded.get(images.pixels)
    if (known !== undefined) return known
    const shape = feed === undefined ? [] : graph.tensors[feed.tensor].shape
    const [n, ...image] = shape
    if (image.length !== 3 || !image.every((length, i) => length === images.image[i])) {
      throw new RlviError('feed x', `must be images ${showShape(image)}`, showShape(images.image))
    }
    const text = imagesSource(n, images.image)
    device.kernels.prepare([text])
    const { feeds } = memory
    const addresses = [
      device.stored(images.pixels),
      memory.keep(bytesOf(images.values)),
      feeds.address,
      feeds.address + feeds.offsets.get('x')!,
    ]
    const blocks = Math.ceil(sizeOf(shape) / 256)
    const first = launcher(device, device.kernels.function(text), [blocks, 1, 1], 256, addresses)
    const made = record(device, plan, actions, streams, first)
    undo.push(() => device.driver.cuGraphExecDestroy(made))
    recorded.set(images.pixels, made)
    return made
  }
}

/** Pinned memory for the inputs and results of some steps. */
interface Stage {
  readonly address: number
  readonly view: ArrayBuffer
  readonly bytes: number
}

function runner(
  device: Device,
  graph: Graph,
  variables: CudaVariables,
  memory: Memory,
  stream: number,
  recorded: number,
  withImages: (images: StoredImages) => number,
  undo: (() => void)[],
  dispose: () => void,
): Program {
  const { driver, koffi } = device
  const { feeds, fetches } = memory
  let staged: Stage | undefined
  undo.push(() => staged && driver.cuMemFreeHost(staged.address))
  const stage = (bytes: number): Stage => {
    if (staged && staged.bytes >= bytes) return staged
    if (staged) driver.cuMemFreeHost(staged.address)
    const place = out64()
    driver.cuMemHostAlloc(place, Math.max(256, bytes), 0)
    const address = readPointer(place)
    staged = { address, view: koffi.view(BigInt(address), Math.max(256, bytes)), bytes }
    return staged
  }
  const put = (view: ArrayBuffer, at: number, given: Feeds): void => {
    for (const { name, tensor } of graph.feeds) {
      const { shape, dtype } = graph.tensors[tensor]
      const value = given[name]
      if (value === undefined) continue
      const place = at + feeds.offsets.get(name)!
      if (dtype === 'i32') new Int32Array(view, place, sizeOf(shape)).set(value as Int32Array)
      else new Float32Array(view, place, sizeOf(shape)).set(typeof value === 'number' ? [value] : value)
    }
  }
  const putRows = (view: ArrayBuffer, at: number, { samples, moves }: StoredBatch): void => {
    const n = samples.length
    new Int32Array(view, at, n).set(samples)
    const places = new Int32Array(view, at + 4 * n, 3 * n)
    if (moves) places.set(moves)
    else places.fill(0)
  }
  const got = (view: ArrayBuffer, at: number): Fetches =>
    Object.fromEntries(
      graph.fetches.map(({ name, tensor }) => {
        const place = at + fetches.offsets.get(name)!
        return [name, new Float32Array(view, place, sizeOf(graph.tensors[tensor].shape)).slice()]
      }),
    )
  /** Steps whose inputs have been put in place: copies, launches and copies back without a pause. */
  const runStaged = async (
    count: number,
    inputs: number,
    fill: (view: ArrayBuffer, at: number, step: number) => void,
    launch: (step: number) => number,
  ): Promise<readonly Fetches[]> => {
    const perStep = inputs + fetches.bytes
    const most = Math.max(1, Math.floor(STAGED / Math.max(1, perStep)))
    const all: Fetches[] = []
    for (let from = 0; from < count; from += most) {
      const steps = Math.min(most, count - from)
      const { address, view } = stage(perStep * steps)
      for (let i = 0; i < steps; i++) {
        fill(view, i * perStep, from + i)
        const at = address + i * perStep
        if (inputs > 0) driver.cuMemcpyHtoDAsync_v2(feeds.address, at, inputs, stream)
        driver.cuGraphLaunch(launch(from + i), stream)
        if (fetches.bytes > 0)
          driver.cuMemcpyDtoHAsync_v2(at + inputs, fetches.address, fetches.bytes, stream)
      }
      await device.wait(stream)
      for (let i = 0; i < steps; i++) all.push(got(view, i * perStep + inputs))
    }
    return all
  }
  const check = (given: Feeds): void => {
    checkFeeds(graph, given)
    checkIndices(graph, given)
  }
  const isThere = (): void => {
    for (const { name } of graph.variables) {
      if (!variables.has(name)) throw new RlviError('run', 'the variables must not be disposed of', name)
    }
  }
  const runMany = async (steps: readonly Feeds[]): Promise<readonly Fetches[]> => {
    steps.forEach(check)
    isThere()
    return runStaged(
      steps.length,
      feeds.bytes,
      (view, at, step) => put(view, at, steps[step]),
      () => recorded,
    )
  }
  /** The graph with all feeds but the images, for checking. */
  const others: Graph = { ...graph, feeds: graph.feeds.filter(({ name }) => name !== 'x') }
  return {
    graph,
    variables,
    run: async (given) => (await runMany([given]))[0],
    runMany,
    runStored: async (steps) => {
      for (const { x, feeds: given } of steps) {
        checkFeeds(others, given)
        checkIndices(others, given)
        checkStored(graph, x)
      }
      isThere()
      return runStaged(
        steps.length,
        feeds.offsets.get('x') ?? 0,
        (view, at, step) => {
          putRows(view, at, steps[step].x)
          put(view, at, steps[step].feeds)
        },
        (step) => withImages(steps[step].x.images),
      )
    },
    async dispose() {
      dispose()
    },
  }
}

/** Checks which stored images a step takes. */
function checkStored(graph: Graph, { images, samples, moves }: StoredBatch): void {
  const feed = graph.feeds.find(({ name }) => name === 'x')
  const n = feed === undefined ? 0 : graph.tensors[feed.tensor].shape[0]
  if (samples.length !== n) throw new RlviError('feed x', `must be ${n} images`, samples.length)
  if (moves && moves.length !== 3 * n) throw new RlviError('feed x', `needs ${3 * n} moves`, moves.length)
  const count = images.pixels.length / sizeOf(images.image)
  const bad = samples.find((sample) => !(sample >= 0 && sample < count))
  if (bad !== undefined) throw new RlviError('feed x', `images must be from 0 to ${count - 1}`, bad)
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
    ms: device.time(stream, () => actions[i](stream), runs, 16),
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
