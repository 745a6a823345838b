import { seeded } from 'rlvi/random'
import { type Shape, sizeOf } from './graph.js'

/** How a variable starts: data rather than numbers, so that a graph stays small until it is run. */
export type Init =
  | { readonly kind: 'fill'; readonly value: number }
  /** Uniform on [-bound, bound]; the numbers depend on the seed and the key only, not on what else is in the graph. */
  | { readonly kind: 'uniform'; readonly bound: number; readonly seed: number; readonly key: string }
  | { readonly kind: 'values'; readonly values: ArrayLike<number> }

/** The numbers that a variable starts with. */
export function initialValues(init: Init, shape: Shape): Float32Array {
  const out = new Float32Array(sizeOf(shape))
  switch (init.kind) {
    case 'fill':
      return out.fill(init.value)
    case 'values':
      out.set(init.values)
      return out
    case 'uniform': {
      const uniform = seeded(init.seed, init.key)
      for (let i = 0; i < out.length; i++) out[i] = init.bound * (2 * uniform() - 1)
      return out
    }
  }
}
