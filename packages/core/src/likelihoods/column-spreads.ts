import { middleHalf } from '../linalg/middle-half.js'
import type { Matrix } from '../matrix.js'

/** Where the columns of a design are, and how wide. */
export interface ColumnSpreads {
  readonly means: Float64Array
  readonly variances: Float64Array
}

/** Beyond so many standard deviations of the middle half a mean or a standard deviation is that of a few rows far out. */
const MOST = 3
const known = new WeakMap<Matrix, ColumnSpreads>()

/**
 * Mean and variance of each column, to which a few rows far out add no more than so much: priors are in these units, and one slip
 * of the keyboard in a feature would shrink its coefficient to nothing.
 */
export function columnSpreads(x: Matrix): ColumnSpreads {
  const before = known.get(x)
  if (before !== undefined) return before
  const { rows, cols, values } = x
  const means = new Float64Array(cols)
  const variances = new Float64Array(cols)
  const column = new Float64Array(rows)
  for (let j = 0; j < cols; j++) {
    for (let i = 0; i < rows; i++) {
      column[i] = values[i * cols + j]
      means[j] += column[i] / rows
    }
    for (let i = 0; i < rows; i++) variances[j] += (column[i] - means[j]) ** 2 / rows
    const { centre, scale } = middleHalf(column)
    const most = MOST * scale
    if (!(most > 0)) continue
    means[j] = Math.min(Math.max(means[j], centre - most), centre + most)
    variances[j] = Math.min(variances[j], most ** 2)
  }
  const found = { means, variances }
  known.set(x, found)
  return found
}
