import type { Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { factor, solve } from '../../linalg/cholesky.js'
import { normalQuantile } from '../../linalg/quantiles.js'
import { rowVector } from '../../matrix.js'

/** Chance of a false alarm over all columns. */
const ALARM = 0.001
/** With more features than this, the prediction alone is looked at. */
const MANY = 50
/** Columns count up to so many standard deviations: beyond, single rows would decide. */
const FARTHEST = 3
/** A curve explains at least this share of the good rows' variance, whatever its significance. */
const WORTH_TELLING = 0.02
/** Of more rows than twice this, only some are looked at. */
const ENOUGH = 10_000

export interface Curve {
  /** The feature that the residuals bend against; undefined for the prediction. */
  readonly column?: number
  /** The square of the column in standard deviations, of each row. */
  readonly values: Float64Array
}

/**
 * Columns, and the prediction, against which the residuals of good rows bend: the square of the column, less what a line
 * explains of it, tells more of the residuals than chance would (Ramsey's test, for each column).
 */
export function curves<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  clean: Float64Array,
): Curve[] {
  const { cols, values } = likelihood.features(data)
  const n = likelihood.rows(data)
  // So many rows show any curve worth telling.
  const stride = Math.max(1, Math.floor(n / ENOUGH))
  const good = clean.map((p, i) => (p > 0.5 && i % stride === 0 ? 1 : 0))
  const count = good.reduce((sum, w) => sum + w, 0)
  const size = likelihood.degreesOfFreedom(data)
  if (count < size + 10) return []
  const information = likelihood.design(data, good)
  const f = factor(information.values, size)
  if (f.dependent.length > 0) return []
  const residuals = rowVector(n)
  likelihood.residuals(data, params, residuals)
  let variance = 0
  for (let i = 0; i < n; i++) variance += (good[i] * residuals[i] ** 2) / (count - size)
  const predicted = rowVector(n)
  likelihood.predicted(data, params, predicted)

  const columns: { column?: number; of: (i: number) => number }[] = [{ of: (i) => predicted[i] }]
  if (cols <= MANY && cols > 1)
    for (let j = 0; j < cols; j++) columns.push({ column: j, of: (i) => values[i * cols + j] })
  if (cols === 1) columns[0] = { column: 0, of: (i) => values[i] }
  const cutoff = normalQuantile(ALARM / columns.length)
  const found: (Curve & { readonly t: number })[] = []
  for (const { column, of } of columns) {
    const square = squares(n, of, good, count)
    if (square === undefined) continue
    // The square less its fit by the design, among good rows.
    const fitted = new Float64Array(size)
    const row = new Float64Array(size)
    const designRow = (i: number): void => {
      row.fill(1)
      row.set(values.subarray(i * cols, (i + 1) * cols), size - cols)
    }
    for (let i = 0; i < n; i++) {
      if (good[i] === 0) continue
      designRow(i)
      for (let j = 0; j < size; j++) fitted[j] += row[j] * square[i]
    }
    solve(f, fitted)
    let [cross, own] = [0, 0]
    for (let i = 0; i < n; i++) {
      if (good[i] === 0) continue
      designRow(i)
      let off = square[i]
      for (let j = 0; j < size; j++) off -= row[j] * fitted[j]
      cross += off * residuals[i]
      own += off * off
    }
    // A column of two values has no square of its own.
    if (own < 1e-8 * count) continue
    const t = cross / Math.sqrt(own * variance)
    const explained = (t * t) / count
    if (Math.abs(t) > cutoff && explained > WORTH_TELLING)
      found.push({ values: square, t: Math.abs(t), ...(column === undefined ? {} : { column }) })
  }
  return found.sort((a, b) => b.t - a.t)
}

/** The squares of a column in standard deviations of the good rows. */
function squares(
  n: number,
  of: (i: number) => number,
  good: Float64Array,
  count: number,
): Float64Array | undefined {
  let [mean, spread, size] = [0, 0, 0]
  for (let i = 0; i < n; i++) mean += (good[i] * of(i)) / count
  for (let i = 0; i < n; i++) {
    spread += (good[i] * (of(i) - mean) ** 2) / count
    size = Math.max(size, Math.abs(of(i)))
  }
  const deviation = Math.sqrt(spread)
  if (!(deviation > 1e-10 * size)) return undefined
  return Float64Array.from({ length: n }, (_, i) => {
    const z = Math.max(-FARTHEST, Math.min(FARTHEST, (of(i) - mean) / deviation))
    return z * z
  })
}
