/**
 * What bad counts look like, in no units: of a row with mean m, a core where good counts lie (three standard deviations to
 * both sides, of whatever shape the law has), a shell below it, and shells above that grow. One count of a million moves no
 * other row's density, as it would that of a flat law over all counts seen.
 */
export interface Shells {
  /** Of each row: -1 in the core, 0 below it, 1 … above. */
  readonly shell: Int32Array
  /** How many counts the row's own shell holds: a bad count is any of them, equally likely. */
  readonly size: Float64Array
  /** How many the row's core holds, how many of them lie above the mean, and whether the row's own is one of these. */
  readonly core: Float64Array
  readonly upper: Float64Array
  readonly isUpper: Uint8Array
  /** How many its first shell above holds. */
  readonly first: Float64Array
  /** Of the shells, the one below included. */
  readonly count: number
}

/** Where shells of one table begin: their edges are those of every dispersion, and the first clears all cores. */
export function firstEdge(eta: Float64Array, dispersion: number): number {
  let clear = 1
  for (const e of eta) {
    const { high, mean } = coreAt(e, dispersion)
    clear = Math.max(clear, (FIRST_REACH * high) / (mean + 1))
  }
  return Math.ceil(Math.log(clear) / Math.log(GROWTH))
}

function coreAt(eta: number, dispersion: number): Core {
  return coreOf(Math.exp(Math.min(Math.max(eta, LEAST_ETA), LARGEST_ETA)), dispersion)
}

/** Three standard deviations to both sides hold all but one good count in 370. */
const CORE = 3
/** Each shell reaches so many times as far as the one before. */
const GROWTH = 4
/** A mean beyond e^300 has a variance beyond numbers. */
const LARGEST_ETA = 300
const LEAST_ETA = -50
/** The first shell ends at least so many times as far out as the core. */
const FIRST_REACH = 2

/** The same numbers, for who makes shells elsewhere. */
export const countShells: {
  readonly core: number
  readonly growth: number
  readonly firstReach: number
  /** Predictors below and above are taken for these. */
  readonly eta: readonly [number, number]
} = { core: CORE, growth: GROWTH, firstReach: FIRST_REACH, eta: [LEAST_ETA, LARGEST_ETA] }

interface Core {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** The shells of counts `y` with means e^eta and a dispersion; of a part of a table `least` is the `firstEdge` of all of it. */
export function shellsOf(
  y: Float64Array,
  eta: Float64Array,
  dispersion: number,
  least: number = firstEdge(eta, dispersion),
): Shells {
  const n = y.length
  const shell = new Int32Array(n)
  const size = new Float64Array(n)
  const core = new Float64Array(n)
  const first = new Float64Array(n)
  const upper = new Float64Array(n)
  const isUpper = new Uint8Array(n)
  let count = 2
  for (let i = 0; i < n; i++) {
    const { mean, low, high } = coreAt(eta[i], dispersion)
    const edge = (k: number): number => Math.floor((mean + 1) * GROWTH ** (least + k))
    core[i] = high - low + 1
    first[i] = edge(0) - high
    upper[i] = high - Math.floor(mean)
    if (y[i] < low) size[i] = low
    else if (y[i] <= high) {
      shell[i] = -1
      isUpper[i] = y[i] > mean ? 1 : 0
      size[i] = core[i]
    } else {
      let k = 0
      while (y[i] > edge(k)) k++
      shell[i] = k + 1
      size[i] = k === 0 ? first[i] : edge(k) - edge(k - 1)
      count = Math.max(count, k + 2)
    }
  }
  return { shell, size, core, upper, isUpper, first, count }
}

/** Counts that are not far off, by Wilson and Hilferty's cube root of the gamma law with this mean and variance. */
function coreOf(mean: number, dispersion: number): Core {
  const variance = mean + dispersion * mean * mean
  const shape = (mean / variance) * mean
  const cube = (z: number): number =>
    mean * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3
  const high = Math.max(cube(CORE), mean + CORE * Math.sqrt(variance))
  return { mean, low: Math.floor(Math.min(cube(-CORE), mean)), high: Math.ceil(Math.max(high, 1)) }
}
