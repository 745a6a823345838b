import {
  cleanProbabilities,
  type Distances,
  distancesOf,
  fitShells,
  MAX_LEVEL,
  type ShellHistogram,
  selectShells,
} from './shell-histogram.js'

export interface Level {
  readonly level: number
  readonly interval: readonly [number, number]
  /** P(good) of each row. */
  readonly clean: Float64Array
  /** The good rows' scale, as a factor of the scale that the distances are in. */
  readonly scale: number
}

/** The level by the squared distances of rows, with a 90 % interval from its profile likelihood. */
export function estimateLevel(squared: Float64Array, dimension: number, degreesOfFreedom: number): Level {
  const distances = distancesOf(squared, dimension, degreesOfFreedom)
  const { histogram, tied } = selectShells(distances)
  return {
    // Less than half a row is none.
    level: histogram.level < 0.5 / squared.length ? 0 : histogram.level,
    interval: profileInterval(distances, histogram, tied),
    clean: cleanProbabilities(squared, histogram, distances.geometry),
    scale: histogram.scale,
  }
}

/**
 * How well good rows and shells of corrupted ones explain the distances: their log-likelihood, in units of the scale, less
 * half a log(n) for every shell in use (BIC). Sharper than the broad reference where bad rows lie together.
 */
export function shellBic(squared: Float64Array, dimension: number, degreesOfFreedom: number): number {
  const { histogram } = selectShells(distancesOf(squared, dimension, degreesOfFreedom))
  const { logLikelihood, scale, densities } = histogram
  const used = densities.reduce((count, density) => count + (density > 0 ? 1 : 0), 0)
  return (
    logLikelihood + degreesOfFreedom * dimension * Math.log(scale) - 0.5 * used * Math.log(squared.length)
  )
}

/** Half the 90 % point of chi-squared with one degree of freedom. */
const DROP = 2.706 / 2

function profileInterval(
  distances: Distances,
  best: ShellHistogram,
  tied: boolean,
): readonly [number, number] {
  const { rows } = distances.bins
  const drop = (level: number): number =>
    best.logLikelihood - fitShells(distances, tied, { level, unit: best.scale }).logLikelihood - DROP
  // The level that the rows carry: what is not modelled is that their number is a draw itself.
  const spread = Math.sqrt(Math.max(best.level * (1 - best.level), 1 / rows) / rows)
  const low = drop(0) <= 0 ? 0 : profileEdge(drop, 0, best.level)
  const high = profileEdge(drop, Math.min(MAX_LEVEL, best.level + 12 * spread + 4 / rows), best.level)
  return [low, high]
}

/** Where the profile has dropped by DROP between `outside` and `inside`, by regula falsi (Illinois). */
function profileEdge(drop: (level: number) => number, outside: number, inside: number): number {
  let out = outside
  let within = inside
  let atOut = drop(out)
  let atIn = -DROP
  if (atOut <= 0) return out
  for (let k = 0; k < 40 && Math.abs(out - within) > 1e-5; k++) {
    const middle = within - (atIn * (out - within)) / (atOut - atIn)
    const value = drop(middle)
    if (Math.abs(value) < 1e-3) return middle
    if (value > 0) {
      out = middle
      atOut = value
      atIn /= 2
    } else {
      within = middle
      atIn = value
      atOut /= 2
    }
  }
  return (out + within) / 2
}
