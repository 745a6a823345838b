import { RlviError } from 'rlvi'
import { type Graph, type Shape, showShape } from '../../graph/graph.js'
import type { Variables } from '../executor.js'
import { narrowed, newVariables } from '../new-variables.js'

interface Kept {
  readonly shape: Shape
  now: Float32Array | Int32Array
  /** Where the next step writes the new value; then the two change places. */
  spare: Float32Array | Int32Array | undefined
}

/** Variables in memory that ONNX Runtime reads and writes in place: nothing is copied between steps. */
export class OnnxVariables implements Variables {
  readonly #kept: Map<string, Kept> = new Map()

  /** Takes in the graph's variables: those it has must agree in shape, the others start as the graph says. */
  declare(graph: Graph): void {
    for (const variable of newVariables(graph, this.#kept)) {
      const { name, shape } = variable
      this.#kept.set(name, { shape, now: narrowed(variable), spare: undefined })
    }
  }

  has(name: string): boolean {
    return this.#kept.has(name)
  }

  names(): readonly string[] {
    return [...this.#kept.keys()]
  }

  async read(name: string): Promise<Float32Array> {
    const { now } = this.#get(name)
    if (now instanceof Int32Array) {
      throw new RlviError(name, 'only real numbers can be read back', 'whole numbers')
    }
    return now.slice()
  }

  async write(name: string, values: ArrayLike<number>): Promise<void> {
    const { shape, now } = this.#get(name)
    if (values.length !== now.length) {
      throw new RlviError(name, `needs ${now.length} values for ${showShape(shape)}`, values.length)
    }
    now.set(values)
  }

  async dispose(): Promise<void> {
    this.#kept.clear()
  }

  /** The present value, not a copy. */
  now(name: string): Float32Array | Int32Array {
    return this.#get(name).now
  }

  /** Memory for the next value. */
  next(name: string): Float32Array | Int32Array {
    const kept = this.#get(name)
    kept.spare ??=
      kept.now instanceof Int32Array ? new Int32Array(kept.now) : new Float32Array(kept.now.length)
    return kept.spare
  }

  /** What was written to `next` becomes the present value. */
  swap(name: string): void {
    const kept = this.#get(name)
    const { now, spare } = kept
    if (spare === undefined) return
    kept.now = spare
    kept.spare = now
  }

  #get(name: string): Kept {
    const kept = this.#kept.get(name)
    if (!kept) throw new RlviError('variables', 'must name a variable', name)
    return kept
  }
}
