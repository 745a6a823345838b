import type { Likelihood, Params, Supervised } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { Fit } from '../../result.js'
import type { FitOptions } from '../shared/options.js'
import { tieCautions } from './cautions.js'
import { kindsOf } from './copies.js'
import { allowForTies, inUnits } from './ties.js'

/** So many rows must be alike in all features, on average, and there are at most so many kinds: else a scale can be told from rows that differ. */
const ALIKE = 5
const MOST_KINDS = 1000
/** Responses on fewer values, or on more steps, are none that were rounded. */
const FEWEST_VALUES = 3
const MOST_STEPS = 1000
/** A response is a number of steps to this share of one. */
const NEARLY = 1e-4
/** Of rounded responses, those that are not the most frequent of their kind are mostly neighbours of it: at least this share. */
const NEIGHBOURS = 0.5

/** Responses spread over the steps that they were rounded to. */
export interface Spread {
  readonly y: Float64Array
  readonly step: number
  /** The mean of a value of each row over the rows that are alike, response included. */
  among(values: Float64Array): Float64Array
}

/**
 * Whole numbers, such as answers from 0 to 10, where features are categories: most rows of a kind have the very same response, so that a model
 * passes through more than half of all, and no scale is left by which others could be bad. A rounded response lies somewhere within its step. Rows
 * that are alike are spread over it, denser where the next step has more of their kind; which of them comes first changes nothing. Undefined where
 * responses are no such steps.
 */
export function spreadOverSteps({ x, y }: Supervised): Spread | undefined {
  const step = stepOf(y)
  const kinds = step === undefined ? undefined : kindsOf(x, undefined, Math.min(MOST_KINDS, x.rows / ALIKE))
  if (step === undefined || kinds === undefined) return undefined
  const least = y.reduce((a, b) => Math.min(a, b))
  const steps = Int32Array.from(y, (value) => Math.round((value - least) / step))
  const width = steps.reduce((a, b) => Math.max(a, b)) + 3
  // An empty step on either side, so that every step has neighbours.
  const places = steps.map((at, i) => kinds.kind[i] * width + at + 1)
  const counts = new Int32Array(kinds.first.length * width)
  for (const place of places) counts[place]++
  if (!areNeighbours(counts, width)) return undefined
  const seen = new Int32Array(counts.length)
  return {
    step,
    y: y.map((value, i) => {
      const at = places[i]
      const share = (seen[at]++ + 0.5) / counts[at]
      return value + step * within(counts[at - 1], counts[at], counts[at + 1], share)
    }),
    among(values) {
      const sums = new Float64Array(counts.length)
      for (let i = 0; i < values.length; i++) sums[places[i]] += values[i]
      return values.map((_, i) => sums[places[i]] / counts[places[i]])
    },
  }
}

/** A fit to responses spread over their steps, as one of the responses as they are. */
export function ofSteps<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D & Supervised,
  fit: Fit<P>,
  { step, among }: Spread,
  { responseUnits }: FitOptions,
): Fit<P> {
  const clean = among(fit.clean)
  const losses = rowVector(clean.length)
  likelihood.losses(data, fit.params, losses)
  const y = inUnits(data.y, responseUnits)
  const size = Number((step * (responseUnits?.scale ?? 1)).toPrecision(3))
  const message = `responses are steps of ${size}, and most rows with the same features have the same one or the next: each was taken to lie anywhere within its step, on which the scale and the level rest`
  return {
    ...fit,
    clean,
    losses,
    corruption: allowForTies(fit.corruption, y, clean),
    cautions: [...tieCautions(y), { about: 'ties', message }, ...(fit.cautions ?? [])],
  }
}

/** The step of which all responses are multiples, but for where they begin. */
function stepOf(y: Float64Array): number | undefined {
  const found = new Set<number>()
  for (const value of y) if (found.add(value).size > MOST_STEPS) return undefined
  if (found.size < FEWEST_VALUES) return undefined
  const values = [...found].sort((a, b) => a - b)
  const gaps = values.slice(1).map((value, k) => value - values[k])
  const step = Math.min(...gaps)
  if (values[values.length - 1] - values[0] > MOST_STEPS * step) return undefined
  const isWhole = gaps.every((gap) => Math.abs(gap / step - Math.round(gap / step)) < NEARLY)
  return isWhole ? step : undefined
}

/** Whether responses beside the most frequent one of their kind are mostly next to it, as rounding has them; those of a table of prices are not. */
function areNeighbours(counts: Int32Array, width: number): boolean {
  let [others, next] = [0, 0]
  for (let from = 0; from < counts.length; from += width) {
    const own = counts.subarray(from, from + width)
    const most = own.indexOf(Math.max(...own))
    others += own.reduce((sum, count) => sum + count, 0) - own[most]
    next += own[most - 1] + own[most + 1]
  }
  return next > NEIGHBOURS * others
}

/**
 * Where in a step, from -1/2 to 1/2, a share of its rows lies: their density has the height of the step in its middle, that of the mean with
 * the neighbour at either end, and is straight between.
 */
function within(before: number, here: number, after: number, share: number): number {
  const [left, right] = [(before + here) / 2, (here + after) / 2]
  const wanted = share * (left + 2 * here + right)
  const isLeft = wanted < left + here
  // From the middle outwards: here t + (end - here) t² / 2 of half a step, out of (here + end) / 2.
  const end = isLeft ? left : right
  const area = Math.abs(wanted - left - here) / 2
  const t = (2 * area) / (here + Math.sqrt(here * here + 2 * (end - here) * area))
  return (isLeft ? -t : t) / 2
}
