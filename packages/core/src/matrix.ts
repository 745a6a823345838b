import { phrase, RlviError } from './errors.js'

/** Rows of numbers in one typed array, row by row: entry (i, j) is `values[i * cols + j]`. */
export interface Matrix {
  readonly rows: number
  readonly cols: number
  readonly values: Float64Array
}

/** A matrix over existing values, or of zeros. */
export function matrix(rows: number, cols: number, values?: Float64Array): Matrix {
  if (!Number.isInteger(rows) || rows < 0) throw new RlviError('matrix', 'rows must be a whole number', rows)
  if (!Number.isInteger(cols) || cols < 0) throw new RlviError('matrix', 'cols must be a whole number', cols)
  if (values !== undefined && values.length !== rows * cols) {
    throw new RlviError('matrix', `${rows} x ${cols} needs ${rows * cols} values`, values.length)
  }
  return { rows, cols, values: values ?? new Float64Array(rows * cols) }
}

/** A matrix of zeros in shared memory, which long fits spread over the cores. */
export function sharedMatrix(rows: number, cols: number): Matrix {
  if (typeof SharedArrayBuffer === 'undefined') {
    const todo =
      'use matrix, or serve the page with Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy'
    throw new RlviError('sharedMatrix', 'shared memory is needed', phrase('a page without it'), todo)
  }
  const bytes = rows * cols * Float64Array.BYTES_PER_ELEMENT
  return matrix(rows, cols, new Float64Array(new SharedArrayBuffer(bytes)))
}

/** From so many rows on, several threads work on a vector. */
const SHARED_FROM = 65536

/** One zero for each row, in shared memory where threads are to work on it. */
export function rowVector(rows: number): Float64Array {
  if (rows < SHARED_FROM || typeof SharedArrayBuffer === 'undefined') return new Float64Array(rows)
  return new Float64Array(new SharedArrayBuffer(rows * Float64Array.BYTES_PER_ELEMENT))
}

/** What `by` makes of the value of each row, in shared memory too: `map` and `slice` of shared values are not, and threads stand idle. */
export function mapRows(values: Float64Array, by: (value: number, i: number) => number): Float64Array {
  const out = rowVector(values.length)
  for (let i = 0; i < out.length; i++) out[i] = by(values[i], i)
  return out
}

/**
 * A matrix from an array of rows.
 *
 * @example
 * const x = fromRows([[1, 2], [3, 4]]) // x.rows, x.cols, x.values
 */
export function fromRows(rows: ReadonlyArray<ArrayLike<number>>): Matrix {
  const cols = rows.length === 0 ? 0 : rows[0].length
  const out = matrix(rows.length, cols)
  for (let i = 0; i < rows.length; i++) {
    if (rows[i].length !== cols) {
      throw new RlviError('fromRows', `row ${i} must have ${cols} entries like row 0`, rows[i].length)
    }
    out.values.set(rows[i], i * cols)
  }
  return out
}

/** The rows of `x` whose numbers are listed, in that order. */
export function takeRows(x: Matrix, rows: ArrayLike<number>): Matrix {
  const out = matrix(rows.length, x.cols)
  for (let k = 0; k < rows.length; k++) {
    const from = rows[k] * x.cols
    out.values.set(x.values.subarray(from, from + x.cols), k * x.cols)
  }
  return out
}

/** Column `j` of `x` by itself. */
export function columnOf({ rows, cols, values }: Matrix, j: number): Float64Array {
  const column = new Float64Array(rows)
  for (let i = 0, at = j; i < rows; i++, at += cols) column[i] = values[at]
  return column
}
