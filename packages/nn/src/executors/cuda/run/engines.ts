import { DESCRIPTOR, Descriptors, TYPE } from '../driver/descriptors.js'
import { out64 } from '../driver/library.js'
import { channelsOf, type Layout, padTo } from '../plan/layout.js'
import type { Convolution } from '../source/convolution.js'
import type { Device } from './device.js'

const FLOAT = 0
const BFLOAT16 = 9
const CROSS_CORRELATION = 1
/** Heuristics: by decision tree, and what always works. */
const HEURISTICS = [3, 2] as const
/** The most engines that a heuristic is asked for. */
const ASKED = 32
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
const MOST_NOTES = 32

/** The addresses that a convolution works on. */
export interface ConvolutionAddresses {
  readonly x: number
  readonly w: number
  readonly y: number
}

/** An engine that can do a convolution. */
export interface Engine {
  /** Bytes of room that it works in. */
  readonly workspace: number
  /** Sets the room; then it can run. */
  ready(workspace: number): (stream: number) => void
}

/** A convolution as cuDNN knows it, with the engines that it offers for it. */
export class Engines {
  readonly #device: Device
  readonly #descriptors: Descriptors
  readonly #configurations: number[] = []
  readonly #addresses: ConvolutionAddresses

  constructor(device: Device, convolution: Convolution, addresses: ConvolutionAddresses) {
    this.#device = device
    this.#descriptors = new Descriptors(device.dnn)
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
    this.#descriptors.dispose()
  }

  /** An engine made ready, if its numbers are allowed, it can do it, and needs no more room than that. */
  engine(which: number, most: number): Engine | undefined {
    const { dnn, dnnHandle } = this.#device
    const configuration = this.#configurations[which]
    if (configuration === undefined || !this.#isAllowed(configuration)) return undefined
    const plan = this.#descriptors.create(DESCRIPTOR.plan)
    this.#descriptors.set(plan, 400, TYPE.handle, [dnnHandle])
    this.#descriptors.set(plan, 401, TYPE.descriptor, [configuration])
    if (!this.#descriptors.tryFinalize(plan)) return undefined
    const bytes = out64()
    this.#descriptors.get(plan, 402, TYPE.int64, 1, bytes)
    const workspace = Number(bytes.readBigInt64LE())
    if (workspace > most) return undefined
    return {
      workspace,
      ready: (room) => {
        const pack = this.#descriptors.create(DESCRIPTOR.pack)
        const { x, w, y } = this.#addresses
        this.#descriptors.set(pack, 1000, TYPE.int64, [1, 2, 3])
        this.#descriptors.set(pack, 1001, TYPE.pointer, [x, w, y])
        this.#descriptors.set(pack, 1003, TYPE.pointer, [room])
        this.#descriptors.finalize(pack)
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
    const engine = this.#descriptors.create(DESCRIPTOR.engine)
    const place = out64()
    place.writeBigUInt64LE(BigInt(engine))
    this.#descriptors.get(configuration, 300, TYPE.descriptor, 1, place)
    const notes = Buffer.alloc(4 * MOST_NOTES)
    const count = this.#descriptors.tryGet(engine, 1303, TYPE.note, MOST_NOTES, notes)
    return new Set(Array.from({ length: count ?? 0 }, (_, i) => notes.readInt32LE(4 * i)))
  }

  #operation({ direction, stride, padding, x, w, y }: Convolution): number {
    const { options, dnnHandle } = this.#device
    const descriptors = this.#descriptors
    const type = options.precision === 'bf16' ? BFLOAT16 : FLOAT
    const shape = descriptors.create(DESCRIPTOR.convolution)
    descriptors.setInt(shape, 100, TYPE.dataType, FLOAT)
    descriptors.setInt(shape, 101, TYPE.mode, CROSS_CORRELATION)
    descriptors.set(shape, 106, TYPE.int64, [2])
    descriptors.set(shape, 102, TYPE.int64, [1, 1])
    descriptors.set(shape, 103, TYPE.int64, stride)
    descriptors.set(shape, 104, TYPE.int64, padding)
    descriptors.set(shape, 105, TYPE.int64, padding)
    descriptors.finalize(shape)
    const tensors = {
      x: this.#tensor(1, x.layout, type),
      w: this.#tensor(2, w.layout, type, true),
      y: this.#tensor(3, y.layout, type),
    }
    const operation = descriptors.create(DESCRIPTOR[direction])
    const first = FIRST[direction]
    descriptors.setFloat(operation, first, 1)
    descriptors.setFloat(operation, first + 1, 0)
    descriptors.set(operation, first + 2, TYPE.descriptor, [shape])
    const named = [tensors.w, tensors.x, tensors.y]
    named.forEach((tensor, i) => {
      descriptors.set(operation, first + 3 + i, TYPE.descriptor, [tensor])
    })
    descriptors.finalize(operation)
    const graph = descriptors.create(DESCRIPTOR.graph)
    descriptors.set(graph, 800, TYPE.handle, [dnnHandle])
    descriptors.set(graph, 801, TYPE.descriptor, [operation])
    descriptors.finalize(graph)
    return graph
  }

  #tensor(id: number, layout: Layout, type: number, filters = false): number {
    const [n, , h, w] = layout.shape
    const channels = channelsOf(layout)
    const samples = filters ? Math.ceil(n / padTo(layout.element)) * padTo(layout.element) : n
    const tensor = this.#descriptors.create(DESCRIPTOR.tensor)
    this.#descriptors.set(tensor, 900, TYPE.int64, [16])
    this.#descriptors.setInt(tensor, 901, TYPE.dataType, type)
    this.#descriptors.set(tensor, 902, TYPE.int64, [samples, channels, h, w])
    this.#descriptors.set(tensor, 903, TYPE.int64, layout.strides)
    this.#descriptors.set(tensor, 906, TYPE.int64, [id])
    this.#descriptors.finalize(tensor)
    return tensor
  }

  #ask(graph: number, mode: number): readonly number[] {
    const descriptors = this.#descriptors
    const heuristics = descriptors.create(DESCRIPTOR.heuristics)
    descriptors.set(heuristics, 201, TYPE.descriptor, [graph])
    descriptors.setInt(heuristics, 200, TYPE.heuristics, mode)
    if (!descriptors.tryFinalize(heuristics)) return []
    const there = descriptors.get(heuristics, 202, TYPE.descriptor, 0, null)
    const asked = Math.min(ASKED, there)
    const made = Array.from({ length: asked }, () => descriptors.create(DESCRIPTOR.configuration))
    const places = Buffer.from(BigUint64Array.from(made, BigInt).buffer)
    return made.slice(0, descriptors.get(heuristics, 202, TYPE.descriptor, asked, places))
  }
}
