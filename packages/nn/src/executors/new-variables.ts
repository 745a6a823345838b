import { RlviError } from 'rlvi'
import { type DType, type Graph, type Shape, sameShape, showShape } from '../graph/graph.js'
import { initialValues } from '../graph/init.js'

/** A variable that a set does not have yet, with what it starts with. */
export interface NewVariable {
  readonly name: string
  readonly shape: Shape
  readonly dtype: DType
  /** Each executor takes them in the width that it computes in. */
  readonly values: ArrayLike<number>
}

/** The graph's variables that are not among those `present`, which must agree in shape. */
export function* newVariables(
  graph: Graph,
  present: ReadonlyMap<string, { readonly shape: Shape }>,
): Generator<NewVariable> {
  for (const { name, tensor, init } of graph.variables) {
    const { shape, dtype } = graph.tensors[tensor]
    const own = present.get(name)
    if (own && !sameShape(own.shape, shape)) {
      throw new RlviError(name, `is ${showShape(own.shape)} in these variables`, showShape(shape))
    }
    if (own) continue
    // Given numbers may need more digits than a float32 holds.
    yield { name, shape, dtype, values: init.kind === 'values' ? init.values : initialValues(init, shape) }
  }
}

/** The values as an executor of single precision keeps them. */
export function narrowed({ dtype, values }: NewVariable): Float32Array | Int32Array {
  return dtype === 'i32' ? Int32Array.from(values) : Float32Array.from(values)
}
