import { type CovarianceParams, usable } from '../likelihoods/covariance.js'
import { inverseRoot, logDeterminant } from '../linalg/cholesky.js'
import { FARTHEST, type Growth } from '../mixture/laws/growth.js'
import { type PlaceTerms, placeTerms } from '../mixture/laws/law-errors.js'
import { halves, type LawFit } from '../mixture/laws/law-fit.js'
import { degreesOfFreedom, exponent, tailsOf } from '../mixture/laws/shape.js'
import { densitiesOf, MOST, octavesOf, type Shells } from '../mixture/laws/shells.js'
import type { PassLaw } from './aggregates.js'

// Models and laws in numbers, for those who compute with them elsewhere: a database, for one.

export { type BinGrid, binGrid } from '../mixture/laws/bins.js'
export type { Growth } from '../mixture/laws/growth.js'
export type { PlaceTerms } from '../mixture/laws/law-errors.js'

/** Distances under a covariance. */
export interface CovarianceTerms {
  /** Lower triangular, row by row: a row's distance from the mean is the length of this times what it is off. */
  readonly root: Float64Array
  /** What the loss is beside half the squared distance. */
  readonly constant: number
}

/** The distances of a covariance in numbers. */
export function covarianceTerms({ covariance }: CovarianceParams): CovarianceTerms {
  const f = usable(covariance)
  const constant = 0.5 * (logDeterminant(f) + covariance.cols * Math.log(2 * Math.PI))
  return { root: inverseRoot(f), constant }
}

/**
 * P(good) of an offset v = g / (g + b + c), or 1 where `level` is 0: g that of good rows, b that of bad ones in the cell of v, c that
 * of a cluster of bad ones.
 */
export interface LawTerms {
  readonly level: number
  readonly good: DensityTerms
  readonly cells: CellTerms
  /** height e^(-(v - centre)^2 / (2 width^2)) */
  readonly cluster: { readonly height: number; readonly centre: number; readonly width: number } | undefined
  /** Of heavy tails: the weight in a fit is P(good) times top / (nu + (v / scale)^2). */
  readonly far: { readonly top: number; readonly nu: number; readonly scale: number } | undefined
  readonly place: PlaceTerms
}

/**
 * e^(logHeight + t(u)) with u = (v - mode) above or (mode - v) below, for v on either side of the mode: t is -u^2 / 2,
 * -half log(1 + u^2 / nu) or -u^power / 2.
 */
export interface DensityTerms {
  readonly logHeight: number
  readonly mode: number
  readonly above: number
  readonly below: number
  readonly tails: 'normal' | { readonly nu: number; readonly half: number } | { readonly power: number }
}

/**
 * The cell of v: with side = 1 below 0 and 0 elsewhere, and steps = ceil(log2(|v| / unit) / octaves) - core[side] between 0 and
 * `most`, it is 2 steps + side; of a `tied` side 0 steps are 1.
 */
export interface CellTerms {
  readonly unit: number
  readonly octaves: number
  readonly core: readonly [number, number]
  readonly tied: readonly [boolean, boolean]
  readonly most: number
  /** The density of bad rows in each cell, as far as there are any. */
  readonly densities: readonly number[]
}

/** The law of a fit in numbers. */
export function lawTerms(law: PassLaw): LawTerms {
  const { cluster, beside, shape, params, shells } = law
  const place = placeTerms(law)
  const far =
    shape.name === 'student'
      ? {
          top: degreesOfFreedom(params[1]) + shells.dimension,
          nu: degreesOfFreedom(params[1]),
          scale: Math.exp(params[0]),
        }
      : undefined
  if (cluster !== undefined) {
    const scale = Math.exp(cluster.params[0])
    const good = {
      logHeight: Math.log(((1 - cluster.level) * NORMAL) / scale),
      mode: cluster.middle,
      above: 1 / scale,
      below: 1 / scale,
      tails: 'normal' as const,
    }
    const own = {
      height: (cluster.share * NORMAL) / cluster.width,
      centre: cluster.centre,
      width: cluster.width,
    }
    return {
      level: cluster.level,
      good,
      cells: cellTerms(cluster.shells, cluster.masses, 1),
      cluster: own,
      far,
      place,
    }
  }
  const rest = beside?.rest ?? law
  const share = 1 - (beside?.cluster.share ?? 0)
  const own = beside && {
    height: (beside.cluster.share * NORMAL) / beside.cluster.width,
    centre: beside.cluster.centre,
    width: beside.cluster.width,
  }
  return {
    level: law.level,
    good: densityTerms(rest, share * (1 - rest.level)),
    cells: cellTerms(rest.shells, rest.masses, share),
    cluster: own,
    far,
    place,
  }
}

const NORMAL = 1 / Math.sqrt(2 * Math.PI)

function densityTerms({ shape, params, shells }: LawFit, share: number): DensityTerms {
  const [above, below, mode, constant] = halves(shape, params, shells.dimension)
  const { log } = tailsOf(shape.name, params[1] ?? 0, shells.dimension)
  const nu = degreesOfFreedom(params[1] ?? 0)
  const tails =
    shape.name === 'normal'
      ? 'normal'
      : shape.name === 'skewed-power' || shape.name === 'light'
        ? { power: exponent(shape.name, params[1]) }
        : { nu, half: 0.5 * (nu + shells.dimension) }
  return { logHeight: Math.log(share) + constant + log(0), mode, above, below, tails }
}

function cellTerms(shells: Shells, masses: Float64Array, share: number): CellTerms {
  const { unit, dimension, core, tied } = shells
  const all = Array.from(densitiesOf(shells, masses), (density) => share * density)
  const last = all.findLastIndex((density) => density > 0)
  return { unit, octaves: octavesOf(dimension), core, tied, most: MOST, densities: all.slice(0, last + 1) }
}

/** The scale of a row by what is predicted for it: e^(rate (t - middle)), with t = (prediction - mean) / deviation, between -most and most. */
export interface GrowthTerms {
  readonly rate: number
  readonly mean: number
  readonly deviation: number
  readonly middle: number
  readonly most: number
}

/** How errors grow, in numbers. */
export function growthTerms({ rate, standard }: Growth): GrowthTerms {
  return { rate, ...standard, most: FARTHEST }
}
