import { out64, readPointer } from '../driver/library.js'
import { channelsOf, type Layout, padTo } from '../plan/layout.js'
import type { Convolution } from '../source/convolution.js'
import type { Device } from './device.js'

/** Kinds of cuDNN's descriptors. */
const DESCRIPTOR = {
  convolution: 1,
  engine: 2,
  configuration: 3,
  heuristics: 4,
  plan: 5,
  forward: 10,
  weight: 11,
  input: 12,
  graph: 15,
  pack: 16,
  tensor: 17,
} as const
/** Types of attributes. */
const TYPE = {
  handle: 0,
  dataType: 1,
  int64: 3,
  float: 4,
  pointer: 6,
  mode: 7,
  heuristics: 8,
  note: 11,
  descriptor: 15,
} as const
const FLOAT = 0
const BFLOAT16 = 9
const CROSS_CORRELATION = 1
/** Heuristics: by decision tree, and what always works. */
const HEURISTICS = [3, 2] as const
/** First attribute of each direction's operation; then beta, the convolution, and its tensors. */
const FIRST = { forward: 700, input: 706, weight: 712 } as const
/** What engines say of their numbers. */
const NOTE = {
  tensorCore: 0,
  downConvert: 1,
  reducedSums: 2,
  fft: 3,
  nondeterministic: 4,
  winograd: 5,
} as const

/** Engines beyond the first few are hardly ever the fastest. */
const CANDIDATES = 12
/** Runs in a row that are measured together: the time between launches then does not count. */
const REPEATS = 8
/** No engine gets more room to work in than this. */
const MOST_WORKSPACE = 256 * 2 ** 20

/** A convolution whose engine is chosen. */
export interface ChosenConvolution {
  /** Bytes of room that it works in. */
  readonly workspace: number
  /** Sets the room; then it can run. */
  ready(workspace: number): (stream: number) => void
  dispose(): void
}

/** The addresses that a convolution works on. */
export interface ConvolutionAddresses {
  readonly x: number
  readonly w: number
  readonly y: number
}

/**
 * Chooses an engine of cuDNN by measuring, or the plain kernel where that is faster or nothing else works. Memory must be
 * there already, but what lies in it does not matter.
 */
export function chooseConvolution(
  device: Device,
  convolution: Convolution,
  addresses: ConvolutionAddresses,
  plain: (stream: number) => void,
  room: { readonly address: number; readonly bytes: number },
  stream: number,
): ChosenConvolution {
  const key = keyOf(device, convolution)
  const byHand: ChosenConvolution = { workspace: 0, ready: () => plain, dispose: () => undefined }
  const known = device.cache.choice(key)
  if (known === PLAIN) return byHand
  const session = new Session(device, convolution, addresses)
  const most = Math.min(MOST_WORKSPACE, room.bytes)
  try {
    const remembered = known === undefined ? undefined : session.plan(known, most)
    const chosen = remembered ?? measured()
    if (chosen) return { ...chosen, dispose: () => session.dispose() }
  } catch (error) {
    session.dispose()
    throw error
  }
  session.dispose()
  return byHand

  function measured(): Omit<ChosenConvolution, 'dispose'> | undefined {
    const best = fastest(device, session, convolution, plain, room, most, stream)
    const agreed = device.cache.choose(key, best)
    if (agreed === PLAIN) return undefined
    return session.plan(agreed, most) ?? session.plan(best, most)
  }
}

/** Measures the plain kernel, where it may win, and the engines; which of them is the fastest. */
function fastest(
  device: Device,
  session: Session,
  convolution: Convolution,
  plain: (stream: number) => void,
  room: { readonly address: number },
  most: number,
  stream: number,
): number {
  let [best, least]: [number, number] = [PLAIN, Number.POSITIVE_INFINITY]
  if (isSmall(convolution)) {
    plain(stream)
    least = device.time(stream, () => plain(stream), 3, REPEATS)
  }
  let tried = 0
  for (let i = 0; i < session.count && tried < CANDIDATES; i++) {
    const plan = session.plan(i, most)
    if (!plan) continue
    tried++
    try {
      const run = plan.ready(room.address)
      run(stream)
      const time = device.time(stream, () => run(stream), 3, REPEATS)
      if (time < least) [best, least] = [i, time]
    } catch {
      // An engine that says it can, and then cannot, is left aside.
    }
  }
  return best
}

const PLAIN = -1

/** Multiplications up to which plain loops may win. */
function isSmall({ w, y }: Convolution): boolean {
  const [, c, kh, kw] = w.layout.shape
  const [n, o, oh, ow] = y.layout.shape
  return n * o * oh * ow * c * kh * kw < 3e8
}

function keyOf({ options }: Device, { direction, stride, padding, x, w, y }: Convolution): string {
  const dims = [x, w, y].map(({ layout }) => layout.shape.join('x')).join(' ')
  return `convolution ${direction} ${options.precision} ${options.deterministic} ${dims} ${stride} ${padding}`
}

/** One operation with its engines. */
class Session {
  readonly #device: Device
  readonly #made: number[] = []
  readonly #configurations: number[] = []
  readonly #addresses: ConvolutionAddresses

  constructor(device: Device, convolution: Convolution, addresses: ConvolutionAddresses) {
    this.#device = device
    this.#addresses = addresses
    try {
      const graph = this.#operation(convolution)
      for (const mode of HEURISTICS) this.#configurations.push(...this.#ask(graph, mode))
    } catch {
      // Shapes that cuDNN does not take are left to the plain kernel.
      this.#configurations.length = 0
    }
  }

  get count(): number {
    return this.#configurations.length
  }

  dispose(): void {
    for (const made of this.#made.splice(0).reverse()) this.#device.dnn.cudnnBackendDestroyDescriptor(made)
  }

  /** An engine made ready, if its numbers are allowed, it can do it, and needs no more room than that. */
  plan(which: number, most: number): Omit<ChosenConvolution, 'dispose'> | undefined {
    const { dnn, dnnHandle } = this.#device
    const configuration = this.#configurations[which]
    if (configuration === undefined || !this.#isAllowed(configuration)) return undefined
    const plan = this.#create(DESCRIPTOR.plan)
    this.#set(plan, 400, TYPE.handle, [BigInt(dnnHandle)])
    this.#set(plan, 401, TYPE.descriptor, [BigInt(configuration)])
    if (dnn.status('cudnnBackendFinalize', plan) !== 0) return undefined
    const bytes = out64()
    dnn.cudnnBackendGetAttribute(plan, 402, TYPE.int64, 1, out64(), bytes)
    const workspace = Number(bytes.readBigInt64LE())
    if (workspace > most) return undefined
    return {
      workspace,
      ready: (room) => {
        const pack = this.#create(DESCRIPTOR.pack)
        const { x, w, y } = this.#addresses
        this.#set(pack, 1000, TYPE.int64, [1n, 2n, 3n])
        this.#set(pack, 1001, TYPE.pointer, [BigInt(x), BigInt(w), BigInt(y)])
        this.#set(pack, 1003, TYPE.pointer, [BigInt(room)])
        dnn.cudnnBackendFinalize(pack)
        return (stream) => {
          dnn.cudnnSetStream(dnnHandle, stream)
          dnn.cudnnBackendExecute(dnnHandle, plan, pack)
        }
      },
    }
  }

  /** Exact sums leave tensor cores aside, and tricks that trade digits for speed. */
  #isAllowed(configuration: number): boolean {
    const { options } = this.#device
    const notes = this.#notes(configuration)
    if (options.deterministic && notes.has(NOTE.nondeterministic)) return false
    if (notes.has(NOTE.reducedSums)) return false
    if (options.precision === 'fp32') {
      return ![NOTE.tensorCore, NOTE.downConvert, NOTE.fft, NOTE.winograd].some((note) => notes.has(note))
    }
    return !notes.has(NOTE.winograd) && !notes.has(NOTE.fft)
  }

  #notes(configuration: number): ReadonlySet<number> {
    const { dnn } = this.#device
    const engine = this.#create(DESCRIPTOR.engine)
    const place = out64()
    place.writeBigUInt64LE(BigInt(engine))
    dnn.cudnnBackendGetAttribute(configuration, 300, TYPE.descriptor, 1, out64(), place)
    const count = out64()
    const notes = Buffer.alloc(4 * 32)
    if (dnn.status('cudnnBackendGetAttribute', engine, 1303, TYPE.note, 32, count, notes) !== 0)
      return new Set()
    return new Set(Array.from({ length: Number(count.readBigInt64LE()) }, (_, i) => notes.readInt32LE(4 * i)))
  }

  #operation({ direction, stride, padding, x, w, y }: Convolution): number {
    const { options, dnnHandle } = this.#device
    const type = options.precision === 'bf16' ? BFLOAT16 : FLOAT
    const shape = this.#create(DESCRIPTOR.convolution)
    this.#setInt(shape, 100, TYPE.dataType, FLOAT)
    this.#setInt(shape, 101, TYPE.mode, CROSS_CORRELATION)
    this.#set(shape, 106, TYPE.int64, [2n])
    this.#set(shape, 102, TYPE.int64, [1n, 1n])
    this.#set(shape, 103, TYPE.int64, stride.map(BigInt))
    this.#set(shape, 104, TYPE.int64, padding.map(BigInt))
    this.#set(shape, 105, TYPE.int64, padding.map(BigInt))
    this.#finalize(shape)
    const tensors = {
      x: this.#tensor(1, x.layout, type),
      w: this.#tensor(2, w.layout, type, true),
      y: this.#tensor(3, y.layout, type),
    }
    const operation = this.#create(DESCRIPTOR[direction])
    const first = FIRST[direction]
    this.#setFloat(operation, first, 1)
    this.#setFloat(operation, first + 1, 0)
    this.#set(operation, first + 2, TYPE.descriptor, [BigInt(shape)])
    const named = [tensors.w, tensors.x, tensors.y]
    named.forEach((tensor, i) => {
      this.#set(operation, first + 3 + i, TYPE.descriptor, [BigInt(tensor)])
    })
    this.#finalize(operation)
    const graph = this.#create(DESCRIPTOR.graph)
    this.#set(graph, 800, TYPE.handle, [BigInt(dnnHandle)])
    this.#set(graph, 801, TYPE.descriptor, [BigInt(operation)])
    this.#finalize(graph)
    return graph
  }

  #tensor(id: number, layout: Layout, type: number, filters = false): number {
    const [n, , h, w] = layout.shape
    const channels = channelsOf(layout)
    const samples = filters ? Math.ceil(n / padTo(layout.element)) * padTo(layout.element) : n
    const tensor = this.#create(DESCRIPTOR.tensor)
    this.#set(tensor, 900, TYPE.int64, [16n])
    this.#setInt(tensor, 901, TYPE.dataType, type)
    this.#set(tensor, 902, TYPE.int64, [samples, channels, h, w].map(BigInt))
    this.#set(tensor, 903, TYPE.int64, layout.strides.map(BigInt))
    this.#set(tensor, 906, TYPE.int64, [BigInt(id)])
    this.#finalize(tensor)
    return tensor
  }

  #ask(graph: number, mode: number): readonly number[] {
    const { dnn } = this.#device
    const heuristics = this.#create(DESCRIPTOR.heuristics)
    this.#set(heuristics, 201, TYPE.descriptor, [BigInt(graph)])
    this.#setInt(heuristics, 200, TYPE.heuristics, mode)
    if (dnn.status('cudnnBackendFinalize', heuristics) !== 0) return []
    const count = out64()
    dnn.cudnnBackendGetAttribute(heuristics, 202, TYPE.descriptor, 0, count, null)
    const asked = Math.min(32, Number(count.readBigInt64LE()))
    const made = Array.from({ length: asked }, () => this.#create(DESCRIPTOR.configuration))
    const places = Buffer.from(BigUint64Array.from(made, BigInt).buffer)
    dnn.cudnnBackendGetAttribute(heuristics, 202, TYPE.descriptor, asked, count, places)
    return made.slice(0, Number(count.readBigInt64LE()))
  }

  #create(kind: number): number {
    const place = out64()
    this.#device.dnn.cudnnBackendCreateDescriptor(kind, place)
    const made = readPointer(place)
    this.#made.push(made)
    return made
  }

  #finalize(descriptor: number): void {
    this.#device.dnn.cudnnBackendFinalize(descriptor)
  }

  #set(descriptor: number, attribute: number, type: number, values: readonly bigint[]): void {
    const bytes = Buffer.from(BigInt64Array.from(values, (value) => BigInt.asIntN(64, value)).buffer)
    this.#device.dnn.cudnnBackendSetAttribute(descriptor, attribute, type, values.length, bytes)
  }

  #setInt(descriptor: number, attribute: number, type: number, value: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32LE(value)
    this.#device.dnn.cudnnBackendSetAttribute(descriptor, attribute, type, 1, bytes)
  }

  #setFloat(descriptor: number, attribute: number, value: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatLE(value)
    this.#device.dnn.cudnnBackendSetAttribute(descriptor, attribute, TYPE.float, 1, bytes)
  }
}
