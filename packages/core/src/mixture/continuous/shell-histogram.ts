import type { Bins } from './bins.js'

/**
 * The corruption level of rows given their distances from a model, without knowing where corrupted rows lie.
 *
 * Good rows are Gaussian. The density of corrupted rows is learned as a histogram over shells of distance: a core of
 * radius c, then shells that double. In the core corrupted rows cannot be told from good ones, so there the density
 * is continued from the first shell, the shoulder: rows spread over a wide range are counted also where they hide,
 * rows that lie in a far cluster (an empty shoulder) are not suspected in the core. Only if the data clearly
 * speak against a core as dense as its shoulder may it be sparser.
 */
export interface Shells extends Bins {
  readonly dimension: number
  /** Parameters spent per dimension. */
  readonly degreesOfFreedom: number
}

export interface ShellHistogram {
  readonly level: number
  /** The good rows' scale in units of the first. */
  readonly scale: number
  readonly logLikelihood: number
  /** Density of corrupted rows times their share, by shell. */
  readonly densities: Float64Array
}

const SHELLS = 48
const MAX_ITERATIONS = 500
/** At most half of the rows can be corrupted: the good ones are the majority. */
export const MAX_LEVEL = 0.5

/**
 * EM for scale, level and shells, which grow with the scale. `tied`: core as dense as the shoulder. `held`: at a given
 * level, with shells in units of a given scale: for comparison of likelihoods the shells must stay the same.
 */
export function fitShells(
  s: Shells,
  tied: boolean,
  held?: { readonly level: number; readonly unit: number },
): ShellHistogram {
  const { distances, counts, rows, dimension: D } = s
  const m = distances.length
  const core = coreRadius(D)
  const clean = new Float64Array(m)
  const shell = new Int8Array(m)
  const mass = new Float64Array(SHELLS)
  const volumes = new Float64Array(SHELLS)
  const densities = new Float64Array(SHELLS)
  const gauss = -0.5 * D * Math.log(2 * Math.PI)
  let scale = held?.unit ?? 1
  let level = held?.level ?? 0.1
  let logLikelihood = Number.NEGATIVE_INFINITY
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    const unit = held?.unit ?? scale
    mass.fill(0)
    for (let i = 0; i < m; i++) {
      shell[i] = shellOf(distances[i] / unit, core)
      // At first all that lies beyond the core is taken for corrupted.
      mass[shell[i]] += counts[i] * (k === 0 ? (shell[i] === 0 ? 0 : 1) : 1 - clean[i])
    }
    for (let b = 0; b < SHELLS; b++) {
      volumes[b] =
        ballVolume(D) * unit ** D * (radius(b, core) ** D - (b === 0 ? 0 : radius(b - 1, core) ** D))
      densities[b] = mass[b] / volumes[b]
    }
    if (k === 0) densities[0] = densities[1]
    else if (tied || densities[0] > densities[1]) {
      densities[0] = densities[1] = (mass[0] + mass[1]) / (volumes[0] + volumes[1])
    }
    let total = 0
    for (let b = 0; b < SHELLS; b++) total += densities[b] * volumes[b]
    level = held?.level ?? Math.min(MAX_LEVEL, total / rows)
    for (let b = 0; b < SHELLS; b++) densities[b] *= total > 0 ? level / total : 0

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
    const next = Math.sqrt(squares / (D * Math.max(good - s.degreesOfFreedom, 0.1 * good)))
    const moved = Math.abs(next / scale - 1) + Math.abs(value - logLikelihood) / rows
    scale = next
    logLikelihood = value
    if (moved < 1e-9) break
  }
  return { level, scale, logLikelihood, densities }
}

/** Twice the gain in log-likelihood that a sparser core must bring: a test at 5 %. */
const CLEARLY = 3.84

/** The level's fit, and whether core and shoulder are tied. */
export function selectShells(s: Shells): { fit: ShellHistogram; tied: boolean } {
  const tied = fitShells(s, true)
  const free = fitShells(s, false)
  return 2 * (free.logLikelihood - tied.logLikelihood) > CLEARLY
    ? { fit: free, tied: false }
    : { fit: tied, tied: true }
}

/** P(good) of a distance under a fit, in the units of `Shells.distances`. */
export function cleanProbability(distance: number, fit: ShellHistogram, dimension: number): number {
  const u = distance / fit.scale
  const log = -0.5 * dimension * Math.log(2 * Math.PI) - dimension * Math.log(fit.scale) - 0.5 * u * u
  const p = (1 - fit.level) * Math.exp(log)
  const bad = fit.densities[shellOf(u, coreRadius(dimension))]
  return p === 0 && bad === 0 ? 0 : p / (p + bad)
}

/** The radius that 99.73 % of a Gaussian lies within (3 in one dimension), by Wilson and Hilferty. */
function coreRadius(dimension: number): number {
  if (dimension === 1) return 3
  const h = 2 / (9 * dimension)
  return Math.sqrt(dimension * (1 - h + 2.782 * Math.sqrt(h)) ** 3)
}

function radius(shell: number, core: number): number {
  return core * 2 ** shell
}

function shellOf(u: number, core: number): number {
  return u <= core ? 0 : Math.min(SHELLS - 1, Math.ceil(Math.log2(u / core)))
}

/** Volume of the unit ball; in one dimension the length 2. */
function ballVolume(dimension: number): number {
  let volume = dimension % 2 === 0 ? 1 : 2
  for (let d = dimension % 2 === 0 ? 2 : 3; d <= dimension; d += 2) volume *= (2 * Math.PI) / d
  return volume
}
