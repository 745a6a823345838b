import type { Launch } from '../plan/launch.js'
import type { Plan } from '../plan/plan.js'
import type { Slot } from '../plan/slots.js'
import { forMembers, type KernelCall } from '../source/kernel.js'
import { TABLE_THREADS, tableBytes } from '../source/tables.js'
import { type ChosenConvolution, chooseConvolution } from './convolutions.js'
import type { Device } from './device.js'
import type { Memory } from './memory.js'
import { type ReadyProduct, readyProduct } from './products.js'

/** Something that a stream is told to do. */
export type Action = (stream: number) => void

/** Room for measuring and for matrix products. */
const PRODUCT_ROOM = 8 * 2 ** 20
const MEASURING_ROOM = 256 * 2 ** 20

/** The launches with all addresses and algorithms settled. */
export function actionsOf(
  device: Device,
  plan: Plan,
  memory: Memory,
  stream: number,
  undo: (() => void)[],
): readonly Action[] {
  return memory.members === 1
    ? measured(device, plan, memory, stream, undo)
    : plainActions(device, plan, memory)
}

/** The kernel that does a launch without a library's help; none where it goes through a table. */
export function plainCall(launch: Launch): KernelCall | undefined {
  switch (launch.kind) {
    case 'kernel':
      return launch.call
    case 'convolution':
    case 'product':
      return launch.plain
    case 'table':
      return undefined
  }
}

/** Plain kernels for all members at once: together they fill a card that one network of their size does not. */
function plainActions(device: Device, plan: Plan, memory: Memory): readonly Action[] {
  return plan.launches.map((launch) =>
    launch.kind === 'table'
      ? tableAction(device, launch, memory)
      : kernelAction(device, plainCall(launch)!, memory),
  )
}

/** The fastest of libraries and plain kernels. */
function measured(
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
  const [x, y] = call.grid
  const fn = device.kernels.function(textFor(call, memory))
  return launcher(device, fn, [x, y, memory.members], call.block, addresses)
}

/** The text of a kernel for as many members as the memory is for. */
export function textFor(call: KernelCall, memory: Memory): string {
  if (memory.members === 1) return call.text
  return forMembers(
    call.text,
    call.slots.map((slot, i) => [`p${i}`, memory.apart(slot) / (slot.layout.element === 'bf16' ? 2 : 4)]),
  )
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

/** A kernel with its arguments, ready to be launched any number of times. */
export function launcher(
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
  const planned = Array.from({ length: memory.members }, (_, member) => {
    const address = (slot: Slot): number => memory.address(slot) + member * memory.apart(slot)
    return launch.rows.map(({ addresses, lists = [], sizes, reals = [] }) => {
      const further = lists.map((list) =>
        memory.keep(new Uint8Array(BigUint64Array.from(list, (slot) => BigInt(address(slot))).buffer)),
      )
      return { addresses: [...addresses.map(address), ...further], sizes, reals }
    })
  }).flat()
  const { table, pieces, blocks } = tableBytes(planned)
  const addresses = [memory.keep(table), memory.keep(pieces)]
  const fn = device.kernels.table(`table_${launch.table}`)
  return launcher(device, fn, [blocks, 1, 1], TABLE_THREADS, addresses)
}
