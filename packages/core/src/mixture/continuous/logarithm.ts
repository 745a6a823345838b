import type { Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { middleHalf } from '../../linalg/middle-half.js'
import { asEvidence } from '../laws/evidence.js'
import type { Judged } from './judge-rows.js'

/** Responses whose largest is less than so many times the middle one: their logarithm is nearly a line. */
const RANGE = 2

/**
 * Only where something is odd: rows said to be bad, or errors that are not normal, of positive responses of a wide range. Without an intercept the
 * logarithm of a response in other units would be another model.
 */
export function worthALogarithm<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  { fit, law }: Judged<P>,
  y: Float64Array,
): boolean {
  const odd = fit.corruption.level !== 0 || (law !== undefined && fit.errors?.name !== 'normal')
  if (!odd || y.some((value) => !(value > 0))) return false
  if (likelihood.degreesOfFreedom(data) <= likelihood.features(data).cols) return false
  const sorted = Float64Array.from(y).sort()
  return sorted[sorted.length - 1] > RANGE * sorted[sorted.length >> 1]
}

/**
 * By how much the logarithm of the response explains the rows better than the response. Either evidence is a density of as many rows as took part, less
 * one for each coefficient, in the units of its own response: so both are told in widths of the middle half of theirs, in which
 * coefficients are alike, too. Then no factor of the response changes anything, nor does a row that one of them left out.
 */
export function gainByLogarithm<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  judged: Judged<P>,
  log: Judged<P>,
  y: Float64Array,
): number {
  const [given, width, logWidth] = [likelihood.responses(data), y, y.map(Math.log)].map(
    (values) => middleHalf(values).scale,
  )
  // Where half of the rows have one response nothing can be compared.
  if (!(width > 0 && logWidth > 0)) return Number.NEGATIVE_INFINITY
  const inWidths = ({ evidence, leverage }: Judged<P>, unit: number): number => {
    const rows = y.length - (leverage?.size ?? 0)
    return evidence + asEvidence({ rows }, (rows - likelihood.degreesOfFreedom(data)) * Math.log(unit))
  }
  let [jacobian, rows] = [0, 0]
  y.forEach((value, i) => {
    if (log.leverage?.has(i)) return
    jacobian += Math.log((value * logWidth) / width)
    rows++
  })
  return inWidths(log, logWidth) - asEvidence({ rows }, jacobian) - inWidths(judged, given)
}
