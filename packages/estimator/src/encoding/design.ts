import { type Matrix, matrix, sharedMatrix } from 'rlvi'
import type { Numbers, Texts } from '../columns/column.js'
import { designColumns, type Encoding } from './encoding.js'

/** A feature, and how it becomes numbers. */
export interface Feature {
  readonly encoding: Encoding
  readonly data: Numbers | Texts
}

/**
 * The listed rows of the features as one matrix. Features that are the columns of a matrix in order are taken as they
 * lie, uncopied, where the caller's matrix may be changed (`reuse`), or where it holds the listed rows already and
 * nobody is going to change it.
 */
export function design(
  features: readonly Feature[],
  rows: Int32Array,
  access: { readonly reuse: boolean; readonly changes: boolean },
): Matrix {
  const lying = asMatrix(features)
  if (lying !== undefined) {
    if (lying.rows === rows.length && (access.reuse || !access.changes)) return lying
    if (access.reuse) return compacted(lying, rows)
  }
  const width = designColumns(features.map(({ encoding }) => encoding)).length
  const x = zeros(rows.length, width)
  let at = 0
  for (const { encoding, data } of features) {
    if (data.kind === 'number') copyNumbers(data, rows, x, at++)
    else if (encoding.kind === 'category') {
      copyIndicators(data, encoding.values, rows, x, at)
      at += encoding.values.length
    }
  }
  return x
}

/** In shared memory, which long fits spread over the cores, where there is such a thing. */
function zeros(rows: number, cols: number): Matrix {
  const shared = rows > 0 && typeof SharedArrayBuffer !== 'undefined'
  return shared ? sharedMatrix(rows, cols) : matrix(rows, cols)
}

/** The matrix whose columns the features are, all of them and in order. */
function asMatrix(features: readonly Feature[]): Matrix | undefined {
  const first = features[0]?.data
  if (first?.kind !== 'number' || first.stride !== features.length) return undefined
  const { values, length } = first
  if (values.length !== length * features.length) return undefined
  const same = features.every(
    ({ data }, j) =>
      data.kind === 'number' &&
      data.values === values &&
      data.offset === j &&
      data.stride === features.length,
  )
  return same ? { rows: length, cols: features.length, values } : undefined
}

/** The listed columns of a matrix. */
export function columnsOf({ rows, cols, values }: Matrix, columns: readonly number[]): Matrix {
  const out = zeros(rows, columns.length)
  for (let i = 0, at = 0; i < rows; i++) for (const j of columns) out.values[at++] = values[i * cols + j]!
  return out
}

/** Moves the listed rows to the front, in place. */
function compacted({ cols, values }: Matrix, rows: Int32Array): Matrix {
  rows.forEach((row, i) => {
    if (row !== i) values.copyWithin(i * cols, row * cols, (row + 1) * cols)
  })
  return matrix(rows.length, cols, values.subarray(0, rows.length * cols))
}

function copyNumbers({ values, offset, stride }: Numbers, rows: Int32Array, to: Matrix, k: number): void {
  for (let i = 0; i < rows.length; i++) to.values[i * to.cols + k] = values[offset + rows[i]! * stride]!
}

function copyIndicators(
  { codes, values }: Texts,
  kept: readonly string[],
  rows: Int32Array,
  to: Matrix,
  first: number,
): void {
  const places = values.map((value) => kept.indexOf(value))
  for (let i = 0; i < rows.length; i++) {
    const place = places[codes[rows[i]!]!]!
    if (place >= 0) to.values[i * to.cols + first + place] = 1
  }
}

/** The listed rows of a column of numbers; the column itself where it lies so already. */
export function numbersAt({ values, offset, stride, length }: Numbers, rows: Int32Array): Float64Array {
  if (stride === 1 && length === rows.length) return values.subarray(offset, offset + length)
  const out = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) out[i] = values[offset + rows[i]! * stride]!
  return out
}
