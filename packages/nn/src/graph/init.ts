import { seeded } from 'rlvi/random'
import { type Init, type Shape, sizeOf } from './graph.js'

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
