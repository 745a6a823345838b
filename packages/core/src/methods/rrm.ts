import { checkBetween } from '../check.js'
import { maximum, minimum } from '../inference/paper.js'
import { allFinite } from '../kernels/finite.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { type Fit, notFinite, relativeChange, type Status, statusOf } from '../result.js'

/** Options of `rrm`. */
export interface RrmOptions<P> {
  /** The assumed share of bad rows, an upper bound. */
  readonly assumed: number
  /** Default 1e-3. */
  readonly tolerance?: number
  /** Default 100. */
  readonly maxIterations?: number
  readonly start?: P
  /** As the authors' released code: alpha is sought with e^(-l / alpha) held above 1e-16, which moves it a little. */
  readonly asReleased?: boolean
}

const RELEASED_FLOOR = 1e-16
/** Of the largest loss. */
const TIE = 1e-12
/** Below this a loss divided by alpha has no digits left. */
const SMALLEST = 1e-290

/**
 * Robust risk minimisation (Osama, Zachariah, Stoica 2020): minimise the weighted loss over the model and over all
 * weights p with entropy at least log((1 - assumed) n), in turns.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 3, 5.1, 7, 8.9, 90) }
 * rrm(linear(), data, { assumed: 0.2 }).params.coefficients
 */
export function rrm<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: RrmOptions<P>,
): Fit<P> {
  likelihood.check(data)
  checkBetween('rrm assumed', options.assumed, 0, 1)
  const { tolerance = 1e-3, maxIterations = 100 } = options
  const n = likelihood.rows(data)
  const losses = new Float64Array(n)
  const weights = new Float64Array(n).fill(1)
  let params = options.start ?? likelihood.fit(data)
  likelihood.losses(data, params, losses)
  let status: Status = { kind: 'max-iterations', message: `still moving after ${maxIterations} iterations` }
  let iterations = 0
  while (iterations < maxIterations) {
    if (!allFinite(losses)) {
      status = notFinite
      break
    }
    entropyWeights(losses, options.assumed, weights, options.asReleased)
    const most = maximum(weights)
    for (let i = 0; i < n; i++) weights[i] /= most
    const next = likelihood.fit(data, weights, params)
    const change = relativeChange(likelihood.vector(next), likelihood.vector(params))
    params = next
    likelihood.losses(data, params, losses)
    iterations++
    if (change <= tolerance) {
      status = { kind: 'converged' }
      break
    }
  }
  return {
    params,
    clean: weights,
    losses,
    corruption: { level: options.assumed, interval: undefined, source: 'assumed' },
    status: statusOf(params, status),
    iterations,
    trace: [],
  }
}

/**
 * RRM's weights p (sum 1, into `out`): p ~ e^(-l / alpha) with alpha such that their entropy is log((1 - assumed) n).
 * Returns alpha: 0 where so many rows tie for the smallest loss that uniform weights on them have that entropy,
 * undefined where all losses are equal.
 */
export function entropyWeights(
  losses: Float64Array,
  assumed: number,
  out: Float64Array,
  asReleased = false,
): number | undefined {
  const n = losses.length
  const least = minimum(losses)
  const most = maximum(losses)
  const range = most - least
  const target = Math.log((1 - assumed) * n)
  // Losses that differ by less are the same but for rounding, which depends on the order of the rows.
  const near = Math.max(TIE * Math.max(Math.abs(least), Math.abs(most)), SMALLEST)
  if (range <= near) {
    out.fill(1 / n)
    return undefined
  }
  let ties = 0
  for (let i = 0; i < n; i++) if (losses[i] <= least + near) ties++
  if (Math.log(ties) >= target) {
    for (let i = 0; i < n; i++) out[i] = losses[i] <= least + near ? 1 / ties : 0
    return 0
  }
  // Entropy rises with alpha, from log(ties) at 0 to log n at infinity: bracket in log alpha, then secant and halving.
  const shift = asReleased ? 0 : least
  const floor = asReleased ? RELEASED_FLOOR : 0
  const entropy = (logAlpha: number): number => entropyAt(losses, shift, Math.exp(logAlpha), floor, out)
  let low = Math.log(range)
  let high = low
  while (entropy(low) > target) low -= 2
  while (entropy(high) < target) high += 2
  let gapLow = entropy(low) - target
  let gapHigh = entropy(high) - target
  let root = low
  for (let k = 0; k < 200 && high - low > 1e-14 * Math.max(1, Math.abs(low)); k++) {
    // Illinois: halve the stale end's value so that both ends move.
    let middle = (low * gapHigh - high * gapLow) / (gapHigh - gapLow)
    if (!(middle > low && middle < high)) middle = (low + high) / 2
    root = middle
    const gap = entropy(middle) - target
    if (gap < 0) {
      low = middle
      gapLow = gap
      gapHigh /= 2
    } else {
      high = middle
      gapHigh = gap
      gapLow /= 2
    }
    if (Math.abs(gap) < 1e-14) break
  }
  const alpha = Math.exp(root)
  entropyAt(losses, least, alpha, 0, out)
  return alpha
}

/** Entropy of p ~ e^(-l / alpha), with p into `out`; terms below the floor enter the normaliser as the floor. */
function entropyAt(
  losses: Float64Array,
  shift: number,
  alpha: number,
  floor: number,
  out: Float64Array,
): number {
  let sum = 0
  let moment = 0
  for (let i = 0; i < losses.length; i++) {
    const x = (losses[i] - shift) / alpha
    const p = Math.exp(-x)
    out[i] = p
    sum += Math.max(p, floor)
    if (p > floor) moment += p * x
  }
  for (let i = 0; i < losses.length; i++) out[i] /= sum
  return Math.log(sum) + moment / sum
}
