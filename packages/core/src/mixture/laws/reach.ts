import { halfProbability } from './misfit.js'
import type { Candidate } from './select.js'

const STEPS = 60

/** How far good errors reach below and above the model, in units of the offsets, but for a probability in all. */
export function reachOf(
  law: Pick<Candidate, 'shape' | 'params'>,
  twoSided: number,
): { readonly below: number; readonly above: number } {
  const within = halfProbability(law)
  const scale = Math.exp(law.params[0])
  const [mode, g] = law.shape.skewed ? [law.params[2], law.params[3]] : [0, 0]
  const share = 1 / (1 + Math.exp(-2 * g))
  const side = (own: number, stretch: number): number => {
    let [near, far] = [0, 20]
    for (let k = 0; k < STEPS; k++) {
      const middle = (near + far) / 2
      if (own * (1 - within(Math.exp(middle - 10))) > twoSided / 2) near = middle
      else far = middle
    }
    return Math.exp(near - 10) * scale * stretch
  }
  return { below: side(1 - share, Math.exp(-g)) - mode, above: side(share, Math.exp(g)) + mode }
}
