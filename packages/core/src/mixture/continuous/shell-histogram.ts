import { type Bins, toBins } from './bins.js'
import { type ShellGeometry, shellGeometry, shellOf } from './shell-geometry.js'

/**
 * The density of corrupted rows by their distance from a model, without knowing where they lie: a shell histogram.
 *
 * Good rows are Gaussian. The density of corrupted rows is learned as a histogram over a core and shells that double
 * (shell-geometry.ts). In the core corrupted rows cannot be distinguished from good ones, so there the density is continued
 * from the first shell: rows spread over a wide range are counted also where they hide, rows that lie in a far cluster
 * (an empty first shell) are not suspected in the core. Only if the data clearly speak against a core as dense as the
 * first shell may it be sparser.
 */
export interface ShellHistogram {
  /** Share of corrupted rows. */
  readonly level: number
  /** The good rows' scale in units of the first. */
  readonly scale: number
  readonly logLikelihood: number
  /** Density of corrupted rows times their share, by shell. */
  readonly densities: Float64Array
}

/** What a histogram is fitted to. */
export interface Distances {
  readonly bins: Bins
  readonly geometry: ShellGeometry
  /** Of the model's fit, per dimension. */
  readonly degreesOfFreedom: number
}

export function distancesOf(squared: Float64Array, dimension: number, degreesOfFreedom: number): Distances {
  return { bins: toBins(squared), geometry: shellGeometry(dimension), degreesOfFreedom }
}

/** A level at which a fit is held, with shells in units of a given scale: to compare likelihoods the shells must stay. */
export interface HeldLevel {
  readonly level: number
  readonly unit: number
}

const MAX_ITERATIONS = 500
/** At most half of the rows can be corrupted: the good ones are the majority. */
export const MAX_LEVEL = 0.5

/** EM for scale, level and densities; the shells grow with the scale. `tied`: the core is as dense as the first shell. */
export function fitShells(of: Distances, tied: boolean, held?: HeldLevel): ShellHistogram {
  const { bins, geometry, degreesOfFreedom } = of
  const { distances, counts, rows } = bins
  const { dimension: D, volumes: unitVolumes } = geometry
  const shells = unitVolumes.length
  const m = distances.length
  const clean = new Float64Array(m)
  const shell = new Int8Array(m)
  const mass = new Float64Array(shells)
  const volumes = new Float64Array(shells)
  const densities = new Float64Array(shells)
  const gauss = -0.5 * D * Math.log(2 * Math.PI)
  let scale = held?.unit ?? 1
  let level = held?.level ?? 0.1
  let logLikelihood = Number.NEGATIVE_INFINITY
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    if (k === 0 || held === undefined) {
      const ball = geometry.ball * scale ** D
      for (let b = 0; b < shells; b++) volumes[b] = ball * unitVolumes[b]
      for (let i = 0; i < m; i++) shell[i] = shellOf(distances[i] / scale, geometry)
    }
    mass.fill(0)
    // At first all that lies beyond the core is taken for corrupted.
    for (let i = 0; i < m; i++)
      mass[shell[i]] += counts[i] * (k === 0 ? (shell[i] === 0 ? 0 : 1) : 1 - clean[i])
    for (let b = 0; b < shells; b++) densities[b] = mass[b] / volumes[b]
    if (k === 0) densities[0] = densities[1]
    else if (tied || densities[0] > densities[1]) {
      densities[0] = densities[1] = (mass[0] + mass[1]) / (volumes[0] + volumes[1])
    }
    let total = 0
    for (let b = 0; b < shells; b++) total += densities[b] * volumes[b]
    level = held?.level ?? Math.min(MAX_LEVEL, total / rows)
    for (let b = 0; b < shells; b++) densities[b] *= total > 0 ? level / total : 0

    const constant = gauss - D * Math.log(scale)
    let good = 0
    let squares = 0
    let value = 0
    for (let i = 0; i < m; i++) {
      const u = distances[i] / scale
      const p = (1 - level) * Math.exp(constant - 0.5 * u * u)
      const density = Math.max(p + densities[shell[i]], Number.MIN_VALUE)
      clean[i] = p / density
      good += counts[i] * clean[i]
      squares += counts[i] * clean[i] * distances[i] * distances[i]
      value += counts[i] * Math.log(density)
    }
    const next = Math.sqrt(squares / (D * Math.max(good - degreesOfFreedom, 0.1 * good)))
    const moved = Math.abs(next / scale - 1) + Math.abs(value - logLikelihood) / rows
    scale = next
    logLikelihood = value
    if (moved < 1e-9) break
  }
  return { level, scale, logLikelihood, densities }
}

/** Twice the gain in log-likelihood that a sparser core must bring: a test at 5 %. */
const CLEARLY = 3.84

/** The histogram that the distances support, and whether its core is tied to the first shell. */
export function selectShells(of: Distances): { readonly histogram: ShellHistogram; readonly tied: boolean } {
  const tied = fitShells(of, true)
  const free = fitShells(of, false)
  return 2 * (free.logLikelihood - tied.logLikelihood) > CLEARLY
    ? { histogram: free, tied: false }
    : { histogram: tied, tied: true }
}

/** P(good) of each of the squared distances. */
export function cleanProbabilities(
  squared: Float64Array,
  histogram: ShellHistogram,
  geometry: ShellGeometry,
): Float64Array {
  const { scale, level, densities } = histogram
  const D = geometry.dimension
  const constant = -0.5 * D * Math.log(2 * Math.PI) - D * Math.log(scale)
  const clean = new Float64Array(squared.length)
  for (let i = 0; i < clean.length; i++) {
    const u = Math.sqrt(squared[i]) / scale
    const p = (1 - level) * Math.exp(constant - 0.5 * u * u)
    const bad = densities[shellOf(u, geometry)]
    clean[i] = p === 0 && bad === 0 ? 0 : p / (p + bad)
  }
  return clean
}
