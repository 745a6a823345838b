import { phrase, RlviError } from './errors.js'
import { allFinite } from './kernels/finite.js'
import type { Matrix } from './matrix.js'

/** Every number must be finite; says which is not. `cols` turns a position into row and column. */
export function checkFinite(where: string, values: Float64Array, cols = 1): void {
  if (allFinite(values)) return
  for (let k = 0; k < values.length; k++) {
    if (!Number.isFinite(values[k])) {
      const place = cols === 1 ? `entry ${k}` : `row ${Math.floor(k / cols)}, column ${k % cols}`
      throw new RlviError(where, `${place} must be a finite number`, values[k], 'drop such rows first')
    }
  }
}

/** All models square what they are given: the squares, and sums of a million of them, must be numbers. */
const LARGEST = 1e150

/** Every number must be finite, and its square too. */
export function checkSquares(where: string, values: Float64Array, cols = 1): void {
  checkFinite(where, values, cols)
  for (let k = 0; k < values.length; k++) {
    if (Math.abs(values[k]) <= LARGEST) continue
    const place = cols === 1 ? `entry ${k}` : `row ${Math.floor(k / cols)}, column ${k % cols}`
    throw new RlviError(where, `${place} must be below ${LARGEST} in size`, values[k], 'rescale the column')
  }
}

/** For those whom no compiler tells that rows of arrays are no matrix: without a word they would be one of no rows. */
export function checkShape(where: string, x: Matrix): void {
  const given: unknown = x
  const isMatrix =
    typeof given === 'object' &&
    given !== null &&
    'rows' in given &&
    'cols' in given &&
    'values' in given &&
    ArrayBuffer.isView(given.values)
  if (isMatrix) return
  const todo = Array.isArray(given)
    ? 'make one of an array of rows by fromRows'
    : 'make one by fromRows or matrix'
  const got = Array.isArray(given) ? phrase(`an array of ${given.length}`) : given
  throw new RlviError(where, 'a matrix { rows, cols, values } is needed', got, todo)
}

export function checkMatrix(where: string, x: Matrix): void {
  checkShape(where, x)
  if (x.values.length !== x.rows * x.cols) {
    throw new RlviError(where, `${x.rows} x ${x.cols} needs ${x.rows * x.cols} values`, x.values.length)
  }
  if (x.rows === 0) throw new RlviError(where, 'at least one row is needed', 0)
  checkSquares(where, x.values, x.cols)
}

export function checkLength(where: string, values: ArrayLike<unknown>, rows: number): void {
  if (!ArrayBuffer.isView(values)) {
    const got = Array.isArray(values) ? phrase(`an array of ${values.length}`) : values
    throw new RlviError(where, 'a Float64Array is needed', got, 'make one by Float64Array.from')
  }
  if (values.length !== rows)
    throw new RlviError(where, `one value for each of ${rows} rows is needed`, values.length)
}

/** Weights: one for each row, finite, not negative, not all zero. */
export function checkWeights(where: string, weights: Float64Array, rows: number): void {
  checkLength(where, weights, rows)
  let sum = 0
  for (let i = 0; i < rows; i++) {
    if (!(weights[i] >= 0) || weights[i] === Number.POSITIVE_INFINITY) {
      throw new RlviError(where, `weight ${i} must be finite and not negative`, weights[i])
    }
    sum += weights[i]
  }
  if (sum === 0) throw new RlviError(where, 'at least one weight must be positive', 0)
}

export function checkBetween(where: string, value: number, low: number, high: number): void {
  if (!(value > low && value < high)) {
    throw new RlviError(where, `a number between ${low} and ${high} is needed`, value)
  }
}
