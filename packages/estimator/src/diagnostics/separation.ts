import { logistic, type Matrix, type Status } from 'rlvi'

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

/**
 * Whether some label of the trusted rows can be told from the others perfectly, if only in the rows of one category: the
 * best coefficients are infinite then, and the size of those found is the penalty's doing. A model that suggests every
 * label right proves it; where it does not, fits of each label against the others, with and without a penalty, look.
 */
export function isSeparable({ x, y, classes, suggested, trusted, intercept }: LabelFit): boolean {
  if (trusted.every((good, i) => !good || suggested[i] === y[i])) return true
  const labels = classes === 2 ? [1] : Array.from({ length: classes }, (_, k) => k)
  if (labels.length * x.rows * x.cols ** 2 > MOST_WORK) return false
  const weights = Float64Array.from(trusted, (good) => (good ? 1 : 0))
  return labels.some((label) => {
    const data = { x, y: y.map((place) => (place === label ? 1 : 0)) }
    const free = logistic({ intercept }).fit(data, weights)
    if (free.problem?.reason === 'separable') return true
    const held = logistic({ intercept, ridge: RIDGE }).fit(data, weights)
    return free.coefficients.some((value, j) => Math.abs(value - held.coefficients[j]!) > WITHOUT_END)
  })
}

/** How a fit of such labels ended. */
export const separable: Status = {
  kind: 'degenerate',
  reason: 'separable',
  message:
    'some label can be told from the others perfectly in the rows that the fit trusts, or in those of one category, so that no size ' +
    'of the coefficients is best: they have no standard errors, and their size means little; wrong labels can hide in it, so that the share ' +
    'of bad ones may be too low: compare with a fit without the columns that tell a label by themselves',
}
