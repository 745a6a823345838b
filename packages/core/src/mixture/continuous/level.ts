import { toBins } from './bins.js'
import {
  cleanProbability,
  fitShells,
  MAX_LEVEL,
  type ShellHistogram,
  type Shells,
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

/** The level that the squared distances tell, with a 90 % interval from its profile likelihood. */
export function estimateLevel(squared: Float64Array, dimension: number, degreesOfFreedom: number): Level {
  const shells = { ...toBins(squared), dimension, degreesOfFreedom }
  const { fit, tied } = selectShells(shells)
  const clean = new Float64Array(squared.length)
  for (let i = 0; i < clean.length; i++) clean[i] = cleanProbability(Math.sqrt(squared[i]), fit, dimension)
  const least = 0.5 / squared.length
  const level = fit.level < least ? 0 : fit.level
  return { level, interval: interval(shells, fit, tied), clean, scale: fit.scale }
}

/**
 * How well good rows and shells of corrupted ones explain the distances: their log-likelihood, in units of the scale, less
 * half a log(n) for every shell in use (BIC). Sharper than the broad reference where bad rows lie together.
 */
export function shellBic(squared: Float64Array, dimension: number, degreesOfFreedom: number): number {
  const shells = { ...toBins(squared), dimension, degreesOfFreedom }
  const { fit } = selectShells(shells)
  const used = fit.densities.reduce((count, density) => count + (density > 0 ? 1 : 0), 0)
  return (
    fit.logLikelihood +
    degreesOfFreedom * dimension * Math.log(fit.scale) -
    0.5 * used * Math.log(shells.rows)
  )
}

/** Half the 90 % point of chi-squared with one degree of freedom. */
const DROP = 2.706 / 2

function interval(shells: Shells, best: ShellHistogram, tied: boolean): readonly [number, number] {
  const drop = (level: number): number =>
    best.logLikelihood - fitShells(shells, tied, { level, unit: best.scale }).logLikelihood - DROP
  // The level that the rows carry: what is not modelled is that their number is a draw itself.
  const spread = Math.sqrt(Math.max(best.level * (1 - best.level), 1 / shells.rows) / shells.rows)
  const low = drop(0) <= 0 ? 0 : edge(drop, 0, best.level)
  const high = edge(drop, Math.min(MAX_LEVEL, best.level + 12 * spread + 4 / shells.rows), best.level)
  return [low, high]
}

/** Where the profile has dropped by DROP between `outside` and `inside`, by regula falsi (Illinois). */
function edge(drop: (level: number) => number, outside: number, inside: number): number {
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
