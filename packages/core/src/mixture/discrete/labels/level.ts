import { cubicSpline } from './spline.js'

/** Half of the likelihood ratio that a 90 % interval admits. */
const ADMITTED = 1.3528
/** Laplace's approximation is rough where parameters are many: so much more is admitted for each parameter per row, and by their square. */
const ROUGHNESS = 5
const VERY_ROUGH = 6
/** The prior probability that no label is random: the rest is spread evenly over all levels. */
const NONE = 0.2
/** The mean of the posterior's fourth power: near its mode, which is less biased at high levels, and as continuous. */
const SHARPENED = 4
const STEPS = 900
const HOPELESS = -40

export interface Level {
  /** Share of random labels: its posterior mean, with a part of the probability on exactly none. */
  readonly level: number
  readonly interval: readonly [number, number]
}

/** By how much less log-likelihood than the best a level is inside the interval. */
export function admittedLoss(parametersPerRow: number): number {
  return ADMITTED * (1 + ROUGHNESS * parametersPerRow + (VERY_ROUGH * parametersPerRow) ** 2)
}

/**
 * The level from its log evidence at the knots, the first of which is 0. The mean moves continuously with the evidence,
 * where a choice between "none" and a best level would jump from one to the other.
 */
export function levelOf(
  knots: readonly number[],
  logEvidence: readonly number[],
  parametersPerRow: number,
): Level {
  const admitted = admittedLoss(parametersPerRow)
  const highest = Math.max(...logEvidence)
  // What is hopeless is alike: a spline through a fall of thousands would swing.
  const spline = cubicSpline(
    knots,
    logEvidence.map((value) => Math.max(value - highest, HOPELESS)),
  )
  const last = knots[knots.length - 1]
  // Finest at 0, where many clean rows leave little room.
  const at = Float64Array.from({ length: STEPS + 1 }, (_, k) => last * (k / STEPS) ** 2)
  const values = at.map(spline)
  const most = values.reduce((a, b) => Math.max(a, b))
  let mass = 0
  let total = 0
  let moment = 0
  for (let k = 0; k <= STEPS; k++) {
    const width = (at[Math.min(k + 1, STEPS)] - at[Math.max(k - 1, 0)]) / 2
    const sharpened = width * Math.exp(SHARPENED * (values[k] - most))
    mass += width * Math.exp(values[k] - most)
    total += sharpened
    moment += sharpened * at[k]
  }
  const none = NONE * Math.exp(values[0] - most)
  const some = (1 - NONE) * mass
  const inside = values.map((value) => (value >= most - admitted ? 1 : 0))
  const low = at[inside.indexOf(1)]
  const high = at[inside.lastIndexOf(1)]
  const level = ((some / (some + none)) * moment) / total
  return { level: Math.min(Math.max(level, low), high), interval: [low, high] }
}
