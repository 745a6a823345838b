import { RlviError } from 'rlvi'
import { type DType, type Graph, type Shape, sameShape, showShape, sizeOf } from '../../../graph/graph.js'
import type { Variables } from '../../executor.js'
import { narrowed, newVariables } from '../../new-variables.js'
import { ALIGNMENT } from '../plan/arena.js'
import type { Device } from './device.js'

interface Kept {
  readonly shape: Shape
  readonly dtype: DType
  /** Where the first member's lies, and how far it is to the next one's. */
  readonly address: number
  readonly apart: number
}

/** Variables in the card's memory, row-major; those of networks that are trained as one program, its members, at equal distances. */
export class VariablePool {
  readonly members: number
  readonly #kept: Map<string, Kept> = new Map()
  /** Members that have variables. */
  readonly #holders: Set<number> = new Set()
  #device: Device | undefined

  constructor(members = 1) {
    this.members = members
  }

  /** Memory of a variable for all members. */
  place(device: Device, name: string, shape: Shape, dtype: DType): Kept {
    if (this.#device && this.#device !== device) {
      throw new RlviError('compile', 'variables must come from this executor', 'another one')
    }
    this.#device = device
    const known = this.#kept.get(name)
    if (known && !sameShape(known.shape, shape)) {
      throw new RlviError(name, `is ${showShape(known.shape)} in the other networks`, showShape(shape))
    }
    if (known) return known
    const apart = Math.ceil((4 * sizeOf(shape)) / ALIGNMENT) * ALIGNMENT
    const made = { shape, dtype, address: device.allocate(this.members * apart), apart }
    this.#kept.set(name, made)
    return made
  }

  /** Where the first member's variable lies. */
  address(name: string): number {
    return this.#kept.get(name)!.address
  }

  /** Bytes from a member's variable to the next one's. */
  apart(name: string): number {
    return this.#kept.get(name)!.apart
  }

  hold(member: number): void {
    this.#holders.add(member)
  }

  /** Frees the memory when no member has variables any more. */
  release(member: number): void {
    this.#holders.delete(member)
    if (this.#holders.size > 0) return
    for (const { address } of this.#kept.values()) this.#device?.free(address)
    this.#kept.clear()
  }
}

/** The variables of one network. */
export class CudaVariables implements Variables {
  readonly pool: VariablePool
  readonly #member: number
  readonly #own: Map<string, Kept> = new Map()
  #device: Device | undefined

  constructor(pool: VariablePool = new VariablePool(), member = 0) {
    this.pool = pool
    this.#member = member
  }

  /** Takes in the graph's variables: those it has must agree in shape, the others start as the graph says. */
  declare(graph: Graph, device: Device): void {
    if (this.#device && this.#device !== device) {
      throw new RlviError('compile', 'variables must come from this executor', 'another one')
    }
    this.#device = device
    this.pool.hold(this.#member)
    for (const variable of newVariables(graph, this.#own)) {
      const { name, shape, dtype } = variable
      const values = narrowed(variable)
      const kept = this.pool.place(device, name, shape, dtype)
      this.#own.set(name, kept)
      device.driver.cuMemcpyHtoD_v2(this.#address(kept), bytesOf(values), 4 * values.length)
    }
  }

  has(name: string): boolean {
    return this.#own.has(name)
  }

  names(): readonly string[] {
    return [...this.#own.keys()]
  }

  async read(name: string): Promise<Float32Array> {
    const kept = this.#get(name)
    if (kept.dtype === 'i32') throw new RlviError(name, 'only real numbers can be read back', 'whole numbers')
    const out = new Float32Array(sizeOf(kept.shape))
    this.#device?.driver.cuMemcpyDtoH_v2(bytesOf(out), this.#address(kept), out.byteLength)
    return out
  }

  async write(name: string, values: ArrayLike<number>): Promise<void> {
    const kept = this.#get(name)
    const size = sizeOf(kept.shape)
    if (values.length !== size) {
      throw new RlviError(name, `needs ${size} values for ${showShape(kept.shape)}`, values.length)
    }
    const bytes = bytesOf(kept.dtype === 'i32' ? Int32Array.from(values) : Float32Array.from(values))
    this.#device?.driver.cuMemcpyHtoD_v2(this.#address(kept), bytes, bytes.length)
  }

  async dispose(): Promise<void> {
    this.#own.clear()
    this.pool.release(this.#member)
  }

  #address({ address, apart }: Kept): number {
    return address + this.#member * apart
  }

  #get(name: string): Kept {
    const kept = this.#own.get(name)
    if (!kept) throw new RlviError('variables', 'must name a variable', name)
    return kept
  }
}

/** The same memory as bytes. */
export function bytesOf(values: Float32Array | Int32Array | Uint8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
