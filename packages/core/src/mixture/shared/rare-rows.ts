import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { thinnedRows } from './thinned.js'

/** So many rows, at least, in which a column says something of its own. */
const ENOUGH = 20
/** Of a column's size: below it, a difference is rounding. */
const ROUNDING = 1e-8

/**
 * The rows of a sample, and some of those without which a column says nothing that others do not: a category of three rows in
 * a hundred thousand is in no sample.
 */
export function withRareRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  sample: Int32Array,
): Int32Array {
  if (!isRegression(likelihood)) return sample
  const { problem } = likelihood.fit(likelihood.take(data, sample))
  if (problem?.reason !== 'collinear' || problem.columns === undefined) return sample
  const rows = new Set(sample)
  for (const column of problem.columns)
    for (const row of telling(likelihood, data, sample, column)) rows.add(row)
  return Int32Array.from(rows).sort()
}

/** Rows in which a column is not what the columns before it make it in the sample. */
function telling<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  sample: Int32Array,
  column: number,
): number[] {
  const { rows, cols, values } = likelihood.features(data)
  const before = linear({ intercept: likelihood.degreesOfFreedom(data) > cols })
  const x = matrix(sample.length, column)
  const own = new Float64Array(sample.length)
  sample.forEach((row, i) => {
    x.values.set(values.subarray(row * cols, row * cols + column), i * column)
    own[i] = values[row * cols + column]
  })
  const { intercept, coefficients } = before.fit({ x, y: own })
  const off = new Float64Array(rows)
  let size = 0
  for (let i = 0; i < rows; i++) {
    let made = intercept
    for (let j = 0; j < column; j++) made += coefficients[j] * values[i * cols + j]
    off[i] = Math.abs(values[i * cols + column] - made)
    size = Math.max(size, Math.abs(values[i * cols + column]))
  }
  const all = Array.from(off.keys()).filter((i) => off[i] > ROUNDING * size)
  return Array.from(thinnedRows(all.length, ENOUGH), (k) => all[k])
}
