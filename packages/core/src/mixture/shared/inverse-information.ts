import { factor } from '../../linalg/cholesky.js'
import { inverse } from '../../linalg/symmetric.js'
import { type Matrix, matrix } from '../../matrix.js'

/**
 * The information of data on parameters, by the weights of their rows. `centre` is what was taken off the columns: an
 * intercept counts from there.
 */
export type InformationOf<D> = (data: D, weights: Float64Array, centre?: Float64Array) => Matrix

/**
 * The covariance of parameters from their information. Where one row is far out, the others are so near to each other, beside their
 * distance from 0, that their spread is lost in the sums of squares: columns then count from the mean of the rows that count. In few rows
 * what is lost by not knowing which are good can exceed what is there; then those that are probably good count, and no others.
 * Undefined where nothing determines a parameter.
 */
export function inverseInformation<D>(
  data: D,
  weights: Float64Array,
  certain: Float64Array,
  of: InformationOf<D>,
): Matrix | undefined {
  for (const own of [weights, certain]) {
    const found = inverted(of(data, own)) ?? aboutMean(data, own, of)
    if (found !== undefined) return found
  }
  return undefined
}

function inverted({ values, cols }: Matrix): Matrix | undefined {
  const f = factor(values, cols)
  return f.dependent.length === 0 ? inverse(f) : undefined
}

function aboutMean<D>(data: D, weights: Float64Array, of: InformationOf<D>): Matrix | undefined {
  const { x } = data as { readonly x?: Matrix }
  if (x === undefined) return undefined
  const centre = weightedMeans(x, weights)
  if (!centre.every(Number.isFinite)) return undefined
  const moved = matrix(
    x.rows,
    x.cols,
    x.values.map((value, k) => value - centre[k % x.cols]),
  )
  const information = of({ ...data, x: moved }, weights, centre)
  // Without one intercept before the coefficients no other zero can be had.
  if (information.cols !== x.cols + 1) return undefined
  const covariance = inverted(information)
  return covariance && fromCentre(covariance, centre)
}

function weightedMeans({ rows, cols, values }: Matrix, weights: Float64Array): Float64Array {
  const sums = new Float64Array(cols)
  let total = 0
  for (let i = 0; i < rows; i++) {
    total += weights[i]
    if (weights[i] > 0) for (let j = 0; j < cols; j++) sums[j] += weights[i] * values[i * cols + j]
  }
  return sums.map((sum) => sum / total)
}

/** The covariance of an intercept where columns count from 0, from that where they count from their centre. */
export function fromCentre({ cols: size, values }: Matrix, centre: Float64Array): Matrix {
  const out = matrix(size, size, values.slice())
  const mixed = Float64Array.from({ length: size }, (_, a) => {
    let sum = values[a]
    for (let j = 1; j < size; j++) sum -= centre[j - 1] * values[j * size + a]
    return sum
  })
  let own = mixed[0]
  for (let j = 1; j < size; j++) {
    out.values[j] = mixed[j]
    out.values[j * size] = mixed[j]
    own -= centre[j - 1] * mixed[j]
  }
  out.values[0] = own
  return out
}
