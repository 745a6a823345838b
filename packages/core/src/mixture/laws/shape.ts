import { digamma, logGamma } from '../../likelihoods/log-gamma.js'

/** What good rows' errors are like but for their place and scale. */
export type ShapeName = 'normal' | 'student' | 'light' | 'skewed-student' | 'skewed-power'

/**
 * The laws of good rows' errors: normal; Student's t; and for residuals an exponential power between normal and nearly
 * uniform, and the two-piece laws (Fernández and Steel 1998) with the tails of a t or of an exponential power, whose
 * halves have scales s e^g and s e^-g. A law's parameters: log s, then the tails', then the mode and g.
 */
export interface Shape {
  readonly name: ShapeName
  /** Number of parameters, the scale among them. */
  readonly size: number
  /** Whether the mode and the halves' scales are free. */
  readonly skewed: boolean
  /** Where a search for the parameters begins, beside what the rows suggest. */
  readonly tails: readonly number[]
}

export const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  normal: { name: 'normal', size: 1, skewed: false, tails: [] },
  student: { name: 'student', size: 2, skewed: false, tails: [Math.log(4)] },
  light: { name: 'light', size: 2, skewed: false, tails: [-0.4] },
  'skewed-student': { name: 'skewed-student', size: 4, skewed: true, tails: [Math.log(6)] },
  'skewed-power': { name: 'skewed-power', size: 4, skewed: true, tails: [0] },
}

/** Tails heavier than these are no law of good rows. */
const LEAST_FREEDOM = 2.5
const LEAST_POWER = 0.8
/** Nearly those of a uniform law. */
const MOST_POWER = 12

export function degreesOfFreedom(tail: number): number {
  return LEAST_FREEDOM + Math.exp(Math.min(tail, 12))
}

/** From Laplace's tails and a little heavier to the normal law's; of a light law from there to nearly none. */
export function exponent(name: ShapeName, tail: number): number {
  const [least, most] = powers(name)
  return least + (most - least) / (1 + Math.exp(-tail))
}

function powers(name: ShapeName): readonly [number, number] {
  return name === 'light' ? [2, MOST_POWER] : [LEAST_POWER, 2]
}

/**
 * log of a law's density in units of its scale, at a distance v from the mode, by the parameter of its tails; and what its
 * derivatives need.
 */
export interface Tails {
  log(v: number): number
  /** -v d log / dv. */
  pull(v: number): number
  /** d log / d tail. */
  byTail(v: number): number
}

export function tailsOf(name: ShapeName, tail: number, dimension: number): Tails {
  const D = dimension
  if (name === 'normal') {
    const constant = -0.5 * D * Math.log(2 * Math.PI)
    return { log: (v) => constant - 0.5 * v * v, pull: (v) => v * v, byTail: () => 0 }
  }
  if (name === 'skewed-power' || name === 'light') {
    const b = exponent(name, tail)
    const [least, most] = powers(name)
    const constant = Math.log(b) - (1 + 1 / b) * Math.LN2 - logGamma(1 / b)
    const slope = 1 / b + (Math.LN2 + digamma(1 / b)) / b ** 2
    // d b / d tail of the logistic curve.
    const chain = ((b - least) * (most - b)) / (most - least)
    return {
      log: (v) => constant - 0.5 * v ** b,
      pull: (v) => 0.5 * b * v ** b,
      byTail: (v) => (v > 0 ? chain * (slope - 0.5 * v ** b * Math.log(v)) : chain * slope),
    }
  }
  const nu = degreesOfFreedom(tail)
  const constant = logGamma(0.5 * (nu + D)) - logGamma(0.5 * nu) - 0.5 * D * Math.log(nu * Math.PI)
  const slope = 0.5 * (digamma(0.5 * (nu + D)) - digamma(0.5 * nu) - D / nu)
  const chain = tail < 12 ? nu - LEAST_FREEDOM : 0
  const half = 0.5 * (nu + D)
  return {
    log: (v) => constant - half * Math.log1p((v * v) / nu),
    pull: (v) => ((nu + D) * v * v) / (nu + v * v),
    byTail: (v) => {
      const q = v * v
      return chain * (slope - 0.5 * Math.log1p(q / nu) + (half * q) / (nu * (nu + q)))
    },
  }
}

/** Share of good rows beyond the core: 3 scales of a normal law in one dimension. */
const BEYOND = 0.0027
const STEPS = 1200

/** The distance that all but 27 good rows in 10,000 lie within, in units of the scale. */
export function coreRadius(tails: Tails, dimension: number): number {
  if (dimension === 1 && tails.byTail(1) === 0 && tails.pull(2) === 4) return 3
  // The trapezoid rule in log v, which takes near and far in equal strides.
  const middle = 0.5 * Math.log(dimension)
  const [from, to] = [middle - 6, middle + 8]
  const logs = Float64Array.from({ length: STEPS }, (_, k) => {
    const x = from + ((to - from) * k) / STEPS
    return tails.log(Math.exp(x)) + dimension * x
  })
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  let total = 0
  for (const log of logs) total += Math.exp(log - most)
  let beyond = 0
  for (let k = STEPS - 1; k > 0; k--) {
    const here = Math.exp(logs[k] - most)
    if (beyond + here > BEYOND * total) {
      const part = (BEYOND * total - beyond) / here
      return Math.exp(from + ((to - from) * (k + 0.5 - part)) / STEPS)
    }
    beyond += here
  }
  return Math.exp(middle)
}
