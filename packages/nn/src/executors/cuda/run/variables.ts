import { RlviError } from 'rlvi'
import { type DType, type Graph, type Shape, showShape, sizeOf } from '../../../graph/graph.js'
import type { Variables } from '../../executor.js'
import { narrowed, newVariables } from '../../new-variables.js'
import type { Device } from './device.js'

interface Kept {
  readonly shape: Shape
  readonly dtype: DType
  readonly address: number
}

/** Variables in the card's memory, row-major. */
export class CudaVariables implements Variables {
  readonly #kept: Map<string, Kept> = new Map()
  #device: Device | undefined

  /** Takes in the graph's variables: those it has must agree in shape, the others start as the graph says. */
  declare(graph: Graph, device: Device): void {
    if (this.#device && this.#device !== device) {
      throw new RlviError('compile', 'variables must come from this executor', 'another one')
    }
    this.#device = device
    for (const variable of newVariables(graph, this.#kept)) {
      const { name, shape, dtype } = variable
      const values = narrowed(variable)
      const address = device.allocate(4 * values.length)
      this.#kept.set(name, { shape, dtype, address })
      device.driver.cuMemcpyHtoD_v2(address, bytesOf(values), 4 * values.length)
    }
  }

  has(name: string): boolean {
    return this.#kept.has(name)
  }

  names(): readonly string[] {
    return [...this.#kept.keys()]
  }

  /** Where a variable lies. */
  address(name: string): number {
    return this.#get(name).address
  }

  async read(name: string): Promise<Float32Array> {
    const { shape, dtype, address } = this.#get(name)
    if (dtype === 'i32') throw new RlviError(name, 'only real numbers can be read back', 'whole numbers')
    const out = new Float32Array(sizeOf(shape))
    this.#device?.driver.cuMemcpyDtoH_v2(bytesOf(out), address, out.byteLength)
    return out
  }

  async write(name: string, values: ArrayLike<number>): Promise<void> {
    const { shape, dtype, address } = this.#get(name)
    const size = sizeOf(shape)
    if (values.length !== size) {
      throw new RlviError(name, `needs ${size} values for ${showShape(shape)}`, values.length)
    }
    const bytes = bytesOf(dtype === 'i32' ? Int32Array.from(values) : Float32Array.from(values))
    this.#device?.driver.cuMemcpyHtoD_v2(address, bytes, bytes.length)
  }

  async dispose(): Promise<void> {
    for (const { address } of this.#kept.values()) this.#device?.free(address)
    this.#kept.clear()
  }

  #get(name: string): Kept {
    const kept = this.#kept.get(name)
    if (!kept) throw new RlviError('variables', 'must name a variable', name)
    return kept
  }
}

/** The same memory as bytes. */
export function bytesOf(values: Float32Array | Int32Array | Uint8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
