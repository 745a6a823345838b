import type { LawFit } from './law-fit.js'
import { degreesOfFreedom, tailsOf } from './shape.js'

/** What a law's good rows are like, in the units of the offsets. */
export interface Moments {
  /** Of an offset in one dimension. */
  readonly mean: number
  /** Standard deviation in every dimension. */
  readonly spread: number
}

const STEPS = 2000

export function momentsOf({ shape, params, shells }: LawFit): Moments {
  const scale = Math.exp(params[0])
  if (shape.name === 'normal') return { mean: 0, spread: scale }
  if (shape.name === 'student') {
    const nu = degreesOfFreedom(params[1])
    return { mean: 0, spread: scale * Math.sqrt(nu / (nu - 2)) }
  }
  // Moments of half a symmetric law, by the trapezoid rule in log v.
  const tails = tailsOf(shape.name, params[1], shells.dimension)
  const moments = [0, 0, 0]
  for (let k = 0; k < STEPS; k++) {
    const v = Math.exp(-10 + (20 * k) / STEPS)
    const mass = Math.exp(tails.log(v)) * v
    for (let power = 0; power < 3; power++) moments[power] += mass * v ** power
  }
  const [first, second] = [moments[1] / moments[0], moments[2] / moments[0]]
  if (!shape.skewed) return { mean: 0, spread: scale * Math.sqrt(second) }
  const [above, below] = [scale * Math.exp(params[3]), scale * Math.exp(-params[3])]
  const share = above / (above + below)
  const off = first * (share * above - (1 - share) * below)
  const square = second * (share * above ** 2 + (1 - share) * below ** 2)
  return { mean: params[2] + off, spread: Math.sqrt(square - off * off) }
}
