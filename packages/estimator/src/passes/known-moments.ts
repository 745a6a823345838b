import { type LinearParams, type Matrix, matrix, type Params } from 'rlvi'
import type { Aggregates, Moments } from 'rlvi/passes'
import type { ResponseUnits, Units } from '../fit/units.js'

/** Sums over all rows, each counting 1, as they were found in the table's own units. */
export interface WholeMoments {
  readonly moments: Moments
  /** Of a linear model: the responses are less this. */
  readonly from: number
}

/** The same sums of columns in units of their own, and of a response likewise: no need of another pass. */
export function momentsInUnits(
  { moments: { weight, sums, squares }, from }: WholeMoments,
  kept: readonly number[],
  { scale }: Units,
  answer: ResponseUnits,
  isLinear: boolean,
): Moments {
  // Columns are less their centre in both units; a response is not.
  const places = isLinear ? [...kept, squares.cols - 1] : kept
  const per = places.map((_, k) => (k < kept.length ? 1 / scale[k]! : 1 / answer.scale))
  const shift = places.map((_, k) => (k < kept.length ? 0 : (from - answer.centre) / answer.scale))
  const scaled = Float64Array.from(places, (j, k) => sums[j]! * per[k]!)
  const out: Matrix = matrix(places.length, places.length)
  for (let k = 0; k < places.length; k++)
    for (let m = 0; m <= k; m++) {
      const [a, b] = [places[k]!, places[m]!]
      const product = squares.values[Math.max(a, b) * squares.cols + Math.min(a, b)]! * per[k]! * per[m]!
      out.values[k * places.length + m] =
        product + shift[k]! * scaled[m]! + shift[m]! * scaled[k]! + weight * shift[k]! * shift[m]!
    }
  return {
    weight,
    sums: scaled.map((sum, k) => sum + weight * shift[k]!),
    squares: out,
    responses: isLinear ? out.values.at(-1)! : 0,
  }
}

/** Sums that answer from those that are known, where nothing else is asked. */
export function knowing<P extends Params>(rows: Aggregates<P>, known: Moments): Aggregates<P> {
  return {
    ...rows,
    async moments(ask) {
      const isKnown = ask.weights.by === 'all' && !ask.squared && isZero(ask.params)
      return isKnown ? known : await rows.moments(ask)
    },
  }
}

function isZero(params: Params | undefined): boolean {
  if (params === undefined) return true
  const { intercept, coefficients } = params as unknown as LinearParams
  return intercept === 0 && coefficients?.every((value) => value === 0) === true
}
