import type { Shells } from './shells.js'

/** Shares of good rows and of each shell, and what they say of the rows. */
export interface Proportions {
  readonly good: number
  readonly shells: Float64Array
  /** Log-likelihood of the mixture, less half a log n for each shell that has a bad row: its height was learned (BIC). */
  readonly value: number
  /** The log-likelihood itself. */
  readonly likelihood: number
  /** P(good) of each row. */
  readonly weights: Float64Array
  /** Share of the bad rows that belong to a crowd near the good ones, and P(a row is one of them). */
  readonly crowd?: { readonly share: number; readonly weights: Float64Array }
}

/** Bad counts among good ones, where they cannot be told apart. */
export interface CoreShape {
  /** Their height over that in the first shell above. */
  readonly height: number
  /** How far down from that shell they reach: to the mean, or through the whole core. */
  readonly reach: 'mean' | 'all'
}

/** No bad counts among good ones. */
export const NO_CORE: CoreShape = { height: 0, reach: 'all' }

export interface ProportionOptions {
  readonly core: CoreShape
  /** Hold the share of good rows. */
  readonly good?: number
  /** Losses of the rows under the law of a crowd of bad ones. */
  readonly crowd?: Float64Array | undefined
  readonly start?: Proportions | undefined
  readonly maxSteps?: number | undefined
}

/** Of the EM of shares. */
export const MAX_STEPS = 500
export const TOLERANCE = 1e-7
/** In units of log n: BIC's. */
const COST = 0.5

/**
 * Shares that maximise the likelihood of counts with given losses under the law of good ones, by EM: a concave problem. In
 * the core bad counts cannot be told from good ones, so their height there is tied to that of the first shell above.
 */
export function fitProportions(
  losses: Float64Array,
  shells: Shells,
  options: ProportionOptions,
): Proportions {
  const n = losses.length
  const { shell, count } = shells
  const likelihoods = losses.map((loss) => Math.exp(-loss))
  const own = ownDensities(shells, options.core)
  const crowd = options.crowd?.map((loss) => Math.exp(-loss))
  const crowded = new Float64Array(crowd === undefined ? 0 : n)
  const weights = new Float64Array(n)
  let good = options.good ?? options.start?.good ?? 0.9
  let shares = startShares(tally(shells), options.start)
  // Beside a crowd EM goes on where it was: few steps will do, as the crowd moves too.
  const before = options.start?.crowd === undefined ? undefined : options.start.shells
  if (before?.length === count) shares = Float64Array.from(before)
  const maxSteps = options.maxSteps ?? MAX_STEPS
  let crowdShare = crowd === undefined ? 0 : (options.start?.crowd?.share ?? 0.5)
  let value = Number.NEGATIVE_INFINITY
  for (let step = 0; step < maxSteps; step++) {
    const next = new Float64Array(count)
    const bad = 1 - good
    let sum = 0
    let goodRows = 0
    let crowdRows = 0
    for (let i = 0; i < n; i++) {
      const k = shell[i] === -1 ? 1 : shell[i]
      const g = good * likelihoods[i]
      const q = bad * (1 - crowdShare) * shares[k] * own[i]
      const c = crowd === undefined ? 0 : bad * crowdShare * crowd[i]
      // A row that nothing explains is not good: its share of nothing is 0, not NaN.
      const total = Math.max(g + q + c, Number.MIN_VALUE)
      weights[i] = g / total
      if (crowd !== undefined) {
        crowded[i] = c / total
        crowdRows += c / total
      }
      next[k] += q / total
      goodRows += g / total
      sum += Math.log(total)
    }
    const gain = sum - value
    value = sum
    if (gain < TOLERANCE && step > 0) break
    good = options.good ?? goodRows / n
    const all = next.reduce((a, b) => a + b, 0)
    if (all > 0) shares = next.map((share) => share / all)
    if (all + crowdRows > 0) crowdShare = crowdRows / (all + crowdRows)
  }
  const bad = 1 - good
  const cost = costOf(shares, bad * (1 - crowdShare), n) + costOf(Float64Array.of(1), bad * crowdShare, n)
  const result = { good, shells: shares, value: value - cost, likelihood: value, weights }
  return crowd === undefined ? result : { ...result, crowd: { share: crowdShare, weights: crowded } }
}

/** The density of each row under the law of its own shell; the core's is tied to the first shell above. */
export function ownDensities(
  { shell, size, core, upper, isUpper, first }: Shells,
  { height, reach }: CoreShape,
): Float64Array {
  return Float64Array.from(size, (s, i) => {
    if (shell[i] > 1 || shell[i] === 0) return 1 / s
    const together = height * (reach === 'all' ? core[i] : upper[i]) + first[i]
    if (shell[i] === 1) return 1 / together
    return reach === 'all' || isUpper[i] === 1 ? height / together : 0
  })
}

/** A shell with part of a row costs that part. */
export function costOf(shares: Float64Array, bad: number, n: number): number {
  let used = 0
  for (const share of shares) used += Math.min(1, share * bad * n)
  return COST * Math.log(n) * used
}

/** How many rows each shell holds, and how many the core. */
export interface Tally {
  readonly shells: Float64Array
  readonly core: number
}

function tally({ shell, count }: Shells): Tally {
  const shells = new Float64Array(count)
  let core = 0
  for (const k of shell) {
    if (k === -1) core++
    else shells[k]++
  }
  return { shells, core }
}

export function startShares(
  { shells, core }: Tally,
  start: Pick<Proportions, 'shells'> | undefined,
): Float64Array {
  const rows = shells.reduce((a, b) => a + b, core)
  const shares = shells.map((count) => 0.1 + count)
  shares[1] += 0.01 * core
  if (start !== undefined)
    for (let k = 0; k < Math.min(shares.length, start.shells.length); k++) shares[k] += rows * start.shells[k]
  const all = shares.reduce((a, b) => a + b, 0)
  return shares.map((share) => share / all)
}
