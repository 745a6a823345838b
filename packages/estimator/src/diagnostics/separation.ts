import { type LinearRegressionParams, logistic, type Matrix, type Status } from 'rlvi'

/** Multiplications in a Newton step for each label, beyond which nobody waits for an answer to this question. */
const MOST_WORK = 1e9

/** A penalty that holds nothing back but what would grow without end, which it does by more than this. */
const RIDGE = 0.01
const WITHOUT_END = 10

/** What a fit of labels found. */
export interface LabelFit {
  readonly x: Matrix
  /** The place of each row's label. */
  readonly y: Float64Array
  readonly classes: number
  readonly suggested: Int32Array
  /** Of each row, whether the fit trusts it. */
  readonly trusted: readonly boolean[]
  readonly intercept: boolean
}

/** A label that can be told from the others, if only in some rows. */
export interface Separation {
  /** Where each row lies: -1 where the label is never, 1 where it always is, 0 where it may be. */
  sides(x: Matrix): Int8Array
}

/**
 * The labels of the trusted rows that can be told from the others perfectly, if only in the rows of one category: the best
 * coefficients are infinite then, and the size of those found is the penalty's doing. A model that suggests every label right proves
 * it, and no part of the rows is apart; where it does not, fits of each label against the others, with and without a penalty, look.
 * Undefined where no label can be.
 */
export function separations({
  x,
  y,
  classes,
  suggested,
  trusted,
  intercept,
}: LabelFit): readonly Separation[] | undefined {
  if (trusted.every((good, i) => !good || suggested[i] === y[i])) return []
  const labels = classes === 2 ? [1] : Array.from({ length: classes }, (_, k) => k)
  if (labels.length * x.rows * x.cols ** 2 > MOST_WORK) return undefined
  const weights = Float64Array.from(trusted, (good) => (good ? 1 : 0))
  const found = labels.flatMap((label): Separation[] => {
    const data = { x, y: y.map((place) => (place === label ? 1 : 0)) }
    const free = logistic({ intercept }).fit(data, weights)
    const held = logistic({ intercept, ridge: RIDGE }).fit(data, weights)
    if (free.problem?.reason === 'separable')
      return [{ sides: (rows) => Int8Array.from(predictors(held, rows), Math.sign) }]
    if (!free.coefficients.some((value, j) => Math.abs(value - held.coefficients[j]!) > WITHOUT_END))
      return []
    const sides = (rows: Matrix): Int8Array => beyond(predictors(free, rows), predictors(held, rows))
    // Columns that say nearly the same may have any coefficients, which cancel each other.
    return sides(x).some((side) => side !== 0) ? [{ sides }] : []
  })
  return found.length === 0 ? undefined : found
}

/** Where a penalty alone holds the odds of a label back. */
function beyond(free: Float64Array, held: Float64Array): Int8Array {
  return Int8Array.from(free, (value, i) => {
    const more = value - held[i]!
    return Math.abs(more) < WITHOUT_END / 2 ? 0 : Math.sign(more)
  })
}

function predictors(
  { intercept, coefficients }: Pick<LinearRegressionParams, 'intercept' | 'coefficients'>,
  { rows, cols, values }: Matrix,
): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) =>
    coefficients.reduce((sum, value, j) => sum + value * values[i * cols + j]!, intercept),
  )
}

/** How a fit of such labels ended. */
export const separable: Status = {
  kind: 'degenerate',
  reason: 'separable',
  message:
    'some label can be told from the others perfectly in the rows that the fit trusts, or in those of one category, so that no size ' +
    'of the coefficients is best: they have no standard errors, and their size means little; wrong labels can hide in it, which the interval of ' +
    'their share allows for: compare with a fit without the columns that tell a label by themselves',
}
