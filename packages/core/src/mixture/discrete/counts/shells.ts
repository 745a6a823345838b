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
  /** How many the row's core holds. */
  readonly core: Float64Array
  /** Whether a row has counts below its core. */
  readonly hasBelow: Uint8Array
  /** Of the shells, the one below included. */
  readonly count: number
}

/** Three standard deviations to both sides hold all but one good count in 370. */
const CORE = 3
/** Each shell reaches so many times as far as the one before. */
const GROWTH = 4
/** Counts in the first shell above over those in the core. */
export const FIRST_SHELL: number = GROWTH - 1

/** The shells of counts `y` with means e^eta and a dispersion. */
export function shellsOf(y: Float64Array, eta: Float64Array, dispersion: number): Shells {
  const n = y.length
  const shell = new Int32Array(n)
  const size = new Float64Array(n)
  const core = new Float64Array(n)
  const hasBelow = new Uint8Array(n)
  let count = 2
  for (let i = 0; i < n; i++) {
    const mean = Math.exp(Math.min(eta[i], 700))
    const { low, high } = coreOf(mean, mean + dispersion * mean * mean)
    core[i] = high - low + 1
    hasBelow[i] = low > 0 ? 1 : 0
    if (y[i] < low) size[i] = low
    else if (y[i] <= high) {
      shell[i] = -1
      size[i] = core[i]
    } else {
      const k = Math.floor(Math.log((y[i] - high - 1) / core[i] + 1) / Math.log(GROWTH))
      shell[i] = k + 1
      size[i] = FIRST_SHELL * core[i] * GROWTH ** k
      count = Math.max(count, k + 2)
    }
  }
  return { shell, size, core, hasBelow, count }
}

/** Counts that are not far off, by Wilson and Hilferty's cube root of the gamma law with this mean and variance. */
function coreOf(mean: number, variance: number): { readonly low: number; readonly high: number } {
  const shape = (mean / variance) * mean
  const cube = (z: number): number => mean * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3
  const high = Math.max(cube(CORE), mean + CORE * Math.sqrt(variance))
  return { low: Math.floor(Math.min(cube(-CORE), mean)), high: Math.ceil(Math.max(high, 1)) }
}
