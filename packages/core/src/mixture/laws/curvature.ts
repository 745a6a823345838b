import { gram } from '../../kernels/gram.js'
import type { Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { weightedMean } from '../../likelihoods/mean.js'
import { factor, solve } from '../../linalg/cholesky.js'
import { normalQuantile } from '../../linalg/quantiles.js'
import { type Matrix, matrix, rowVector } from '../../matrix.js'
import { thinnedRows } from '../shared/thinned.js'

/** Chance of a false alarm over all columns. */
const ALARM = 0.001
/** With more features than this, the prediction alone is looked at; up to so many also every two together. */
const MANY = 50
const PAIRS = 10
/** Columns count up to so many standard deviations: beyond, single rows would decide. */
const FARTHEST = 3
/** A curve explains at least this share of the good rows' variance, whatever its significance. */
const WORTH_TELLING = 0.02
/** Of more good rows than twice this only some are looked at: a curve worth telling shows in them by seven standard errors. */
const ENOUGH = 2500

export interface Curve {
  /** The feature that the residuals bend against, or two that they bend against together; none for the prediction. */
  readonly columns: readonly number[]
  /** The square of the column in standard deviations, or the product of two, of each row. */
  readonly values: Float64Array
}

/**
 * Columns, and the prediction, against which the residuals of good rows bend: the square of the column, or the product of two, less
 * what a line explains of it, tells more of the residuals than chance would (Ramsey's test, for each).
 */
export function curves<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  clean: Float64Array,
): Curve[] {
  const size = likelihood.degreesOfFreedom(data)
  const rows = goodRows(clean)
  const count = rows.length
  if (count < size + 10) return []
  const good = likelihood.take(data, rows)
  const features = likelihood.features(good)
  const residuals = rowVector(count)
  likelihood.residuals(good, params, residuals)
  const variance = residuals.reduce((sum, r) => sum + r * r, 0) / (count - size)

  const tried = curvesToTry(features.cols)
  const cutoff = normalQuantile(ALARM / tried.length)
  const products = productsOf(likelihood, good, params)
  const bent = tried.flatMap((columns) => {
    const product = products(columns)
    return product === undefined ? [] : [{ columns, product, values: product(good) }]
  })
  const values = bent.map((of) => of.values)
  const left = beyondLines(features, values, residuals, size > features.cols)
  if (left === undefined) return []
  const found: (Curve & { readonly t: number })[] = []
  bent.forEach(({ columns, product }, k) => {
    const { own, cross } = left[k]
    // A column of two values has no square of its own.
    if (own < 1e-8 * count) return
    const t = Math.abs(cross) / Math.sqrt(own * variance)
    if (t > cutoff && (t * t) / count > WORTH_TELLING) found.push({ columns, values: product(data), t })
  })
  return found.sort((a, b) => b.t - a.t)
}

/** The prediction, each column, and every two of few. */
function curvesToTry(cols: number): (readonly number[])[] {
  if (cols === 1) return [[0]]
  if (cols > MANY) return [[]]
  const single = Array.from({ length: cols }, (_, j) => [j])
  const pairs = cols > PAIRS ? [] : single.flatMap(([j]) => single.slice(j + 1).map(([k]) => [j, k]))
  return [[], ...single, ...pairs]
}

/** Of columns the product, of one the square, in standard deviations of the good rows; undefined where one is constant. */
function productsOf<D, P extends Params>(
  likelihood: Regression<D, P>,
  good: D,
  params: P,
): (columns: readonly number[]) => ((rows: D) => Float64Array) | undefined {
  return (columns) => {
    const [a, b] = [columns[0], columns[1] ?? columns[0]]
    const first = standardiser(valuesOf(likelihood, good, params, a))
    const second = standardiser(valuesOf(likelihood, good, params, b))
    if (first === undefined || second === undefined) return undefined
    return (rows) => {
      const other = valuesOf(likelihood, rows, params, b)
      return valuesOf(likelihood, rows, params, a).map((value, i) => first(value) * second(other[i]))
    }
  }
}

/**
 * Of each of some squares what its best line in the features leaves: the sum of its squares, and its product with the
 * residuals. Undefined where features depend on each other.
 */
function beyondLines(
  features: Matrix,
  squares: readonly Float64Array[],
  residuals: Float64Array,
  intercept: boolean,
): { readonly own: number; readonly cross: number }[] | undefined {
  const { rows, cols } = features
  const size = cols + squares.length + 1
  const all = matrix(rows, size)
  for (let i = 0; i < rows; i++) {
    all.values.set(features.values.subarray(i * cols, (i + 1) * cols), i * size)
    for (let k = 0; k < squares.length; k++) all.values[i * size + cols + k] = squares[k][i]
    all.values[(i + 1) * size - 1] = residuals[i]
  }
  const ones = rowVector(rows).fill(1)
  const centre = intercept ? weightedMean(all, ones) : new Float64Array(size)
  const products = new Float64Array(size * size)
  gram(all, centre, ones, ones, products, new Float64Array(size))
  const block = new Float64Array(cols * cols)
  for (let j = 0; j < cols; j++) block.set(products.subarray(j * size, j * size + cols), j * cols)
  const f = factor(block, cols)
  if (f.dependent.length > 0) return undefined
  const last = (size - 1) * size
  return squares.map((_, k) => {
    const from = (cols + k) * size
    const line = products.slice(from, from + cols)
    solve(f, line)
    let own = products[from + cols + k]
    let cross = products[last + cols + k]
    for (let j = 0; j < cols; j++) {
      own -= line[j] * products[from + j]
      cross -= line[j] * products[last + j]
    }
    return { own, cross }
  })
}

/** The numbers of rows that are good, or of as many of them as are enough. */
function goodRows(clean: Float64Array): number[] {
  const all: number[] = []
  for (let i = 0; i < clean.length; i++) if (clean[i] > 0.5) all.push(i)
  return Array.from(thinnedRows(all.length, ENOUGH), (k) => all[k])
}

/** A feature's values, or the predictions. */
export function valuesOf<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  column: number | undefined,
): Float64Array {
  const out = new Float64Array(likelihood.rows(data))
  if (column === undefined) {
    likelihood.predicted(data, params, out)
    return out
  }
  const { cols, values } = likelihood.features(data)
  for (let i = 0; i < out.length; i++) out[i] = values[i * cols + column]
  return out
}

/** Turns a value into standard deviations of some values, as far as they count; undefined where they are all the same. */
function standardiser(values: Float64Array): ((value: number) => number) | undefined {
  let mean = 0
  let spread = 0
  let size = 0
  for (const value of values) mean += value / values.length
  for (const value of values) {
    spread += (value - mean) ** 2 / values.length
    size = Math.max(size, Math.abs(value))
  }
  const deviation = Math.sqrt(spread)
  if (!(deviation > 1e-10 * size)) return undefined
  return (value) => Math.max(-FARTHEST, Math.min(FARTHEST, (value - mean) / deviation))
}
