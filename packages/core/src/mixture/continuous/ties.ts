import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Corruption } from '../../result.js'
import { MAX_LEVEL } from '../laws/masses.js'
import type { ResponseUnits } from '../shared/options.js'
import { thinned } from '../shared/thinned.js'

/** A response that more than this share of the rows has is a tie. */
export const TIED = 0.2
/** On a scale of fewer steps than this values repeat; then it must be more than so many rows. */
const STEPS = 8
const TIED_STEPS = 0.45
/** The value is looked for among so many rows. */
const ENOUGH = 10_000

/** Where so many rows looked at first have no value in common, a fifth of all has not either. */
const FIRST = 500
const FIRST_SHARE = 0.1

/** The response that most rows share, and their share; undefined where rows differ enough: less may repeat on a scale of few steps. */
export function commonResponse(y: Float64Array, ofFewSteps: number = TIED_STEPS): Common | undefined {
  if (y.length > 2 * FIRST && mostFrequent(thinned(y, FIRST))[1] < FIRST_SHARE * FIRST) return undefined
  // A value that is as frequent as this is the most frequent one of a part, too.
  const [value, , steps] = mostFrequent(thinned(y, ENOUGH))
  const share = shareOf(value, y)
  const many = steps < STEPS ? ofFewSteps : TIED
  return share > many && share < 1 && share * y.length > 2 ? { value, share } : undefined
}

/** A response that comes so often more than any other, in so many rows and in such a share of them, stands out. */
const OFTENER = 5
const FEWEST_STUCK = 10
const LEAST_STUCK = 0.02
/** Of fewer values some are frequent by themselves. */
const MANY_STEPS = 20

/** The response that stands out by repeating where the others hardly do, and its share: a sensor that was stuck, a default, a limit. */
export function stuckResponse(y: Float64Array): Common | undefined {
  const [value, often, steps, next] = mostFrequent(thinned(y, ENOUGH))
  if (steps < MANY_STEPS || often < OFTENER * next || often < FEWEST_STUCK) return undefined
  const share = shareOf(value, y)
  return share >= LEAST_STUCK && share <= TIED ? { value, share } : undefined
}

interface Common {
  readonly value: number
  readonly share: number
}

function shareOf(value: number, y: Float64Array): number {
  let count = 0
  for (const other of y) if (other === value) count++
  return count / y.length
}

/** The value that most others equal, their number, how many values differ, and how often the next one comes. */
export function mostFrequent(values: Float64Array): readonly [number, number, number, number] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let [most, often, next] = [Number.NaN, 0, 0]
  for (const [value, count] of counts) {
    if (count > often) [most, often, next] = [value, count, often]
    else if (count > next) next = count
  }
  return [most, often, counts.size, next]
}

/** Whether so many responses are one value that a model may pass through these rows for that alone. */
export function hasTies<D, P extends Params>(likelihood: Continuous<D, P>, data: D): boolean {
  return isRegression(likelihood) && commonResponse(likelihood.responses(data), TIED) !== undefined
}

/** Whether a model trusts the rows of one response and few others: it says what that value is, and nothing of the features. */
export function trustsTie<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  clean: Float64Array,
): boolean {
  if (!isRegression(likelihood)) return false
  const y = likelihood.responses(data)
  const common = commonResponse(y, TIED)
  if (common === undefined) return false
  let [others, bad] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    if (y[i] === common.value) continue
    others++
    if (clean[i] < 0.5) bad++
  }
  return bad > 0.5 * others
}

/**
 * Rows of one value may be what good rows are like, or a code, or where a scale ends: the interval leaves open whether they are bad. Of a value that
 * is merely stuck, rows that the model explains may be bad, too.
 */
export function allowForTies(corruption: Corruption, y: Float64Array, clean: Float64Array): Corruption {
  const { interval } = corruption
  if (interval === undefined) return corruption
  const common = commonResponse(y)
  if (common !== undefined)
    return { ...corruption, interval: [0, Math.max(interval[1], Math.min(common.share, MAX_LEVEL))] }
  const stuck = stuckResponse(y)
  if (stuck === undefined) return corruption
  let trusted = 0
  for (let i = 0; i < y.length; i++) if (y[i] === stuck.value) trusted += clean[i] / y.length
  return {
    ...corruption,
    interval: [interval[0], Math.max(interval[1], Math.min(interval[1] + trusted, MAX_LEVEL))],
  }
}

/** A response in the user's units, without the last digits that standardising took and gave. */
export function inUnits(y: Float64Array, units: ResponseUnits | undefined): Float64Array {
  if (units === undefined) return y
  const { centre, scale } = units
  const small = 1e-9 * Math.abs(scale)
  return y.map((value) => {
    const raw = centre + scale * value
    return Math.abs(raw) < small ? 0 : rounded(raw)
  })
}

const DIGITS = 9
/** Powers of ten up to this one are doubles, so that a whole number times or over one is rounded once. */
const EXACT_POWER = 22
const POWERS = Float64Array.from({ length: EXACT_POWER + 1 }, (_, k) => 10 ** k)

/** `Number(value.toPrecision(9))`, without the text where arithmetic is sure to give the same: of a million responses that takes a second. */
export function rounded(value: number): number {
  const places = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))
  if (!(Math.abs(places) <= EXACT_POWER)) return Number(value.toPrecision(DIGITS))
  const power = POWERS[Math.abs(places)]
  const digits = places >= 0 ? value * power : value / power
  const whole = Math.round(digits)
  // Near a half the last bit decides; near a power of ten the logarithm's.
  const isSure =
    Math.abs(Math.abs(digits - whole) - 0.5) > 1e-6 && Math.abs(whole) > 1.01e8 && Math.abs(whole) < 9.99e8
  if (!isSure) return Number(value.toPrecision(DIGITS))
  return places >= 0 ? whole / power : whole * power
}
