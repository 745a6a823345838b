import type { Dnn } from './cudnn.js'
import type { Argument } from './library.js'
import { out64, readPointer } from './library.js'

/** Kinds of cuDNN's descriptors. */
export const DESCRIPTOR = {
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
export const TYPE = {
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

type Type = (typeof TYPE)[keyof typeof TYPE]

/** cuDNN's descriptors: made, told what they describe, and given back together. */
export class Descriptors {
  readonly #dnn: Dnn
  readonly #made: number[] = []

  constructor(dnn: Dnn) {
    this.#dnn = dnn
  }

  create(kind: (typeof DESCRIPTOR)[keyof typeof DESCRIPTOR]): number {
    const place = out64()
    this.#dnn.cudnnBackendCreateDescriptor(kind, place)
    const made = readPointer(place)
    this.#made.push(made)
    return made
  }

  /** Numbers of 64 bits: lengths, addresses, other descriptors. */
  set(descriptor: number, attribute: number, type: Type, values: readonly (number | bigint)[]): void {
    const bytes = Buffer.from(BigInt64Array.from(values, (value) => BigInt.asIntN(64, BigInt(value))).buffer)
    this.#dnn.cudnnBackendSetAttribute(descriptor, attribute, type, values.length, bytes)
  }

  setInt(descriptor: number, attribute: number, type: Type, value: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32LE(value)
    this.#dnn.cudnnBackendSetAttribute(descriptor, attribute, type, 1, bytes)
  }

  setFloat(descriptor: number, attribute: number, value: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatLE(value)
    this.#dnn.cudnnBackendSetAttribute(descriptor, attribute, TYPE.float, 1, bytes)
  }

  finalize(descriptor: number): void {
    this.#dnn.cudnnBackendFinalize(descriptor)
  }

  /** Whether cuDNN can do what is described. */
  tryFinalize(descriptor: number): boolean {
    return this.#dnn.status('cudnnBackendFinalize', descriptor) === 0
  }

  /** Writes up to so many values to a place; how many there are. */
  get(descriptor: number, attribute: number, type: Type, most: number, place: Argument): number {
    const count = out64()
    this.#dnn.cudnnBackendGetAttribute(descriptor, attribute, type, most, count, place)
    return Number(count.readBigInt64LE())
  }

  /** The same, or nothing where cuDNN does not say. */
  tryGet(
    descriptor: number,
    attribute: number,
    type: Type,
    most: number,
    place: Argument,
  ): number | undefined {
    const count = out64()
    const code = this.#dnn.status('cudnnBackendGetAttribute', descriptor, attribute, type, most, count, place)
    return code === 0 ? Number(count.readBigInt64LE()) : undefined
  }

  dispose(): void {
    for (const made of this.#made.splice(0).reverse()) this.#dnn.cudnnBackendDestroyDescriptor(made)
  }
}
