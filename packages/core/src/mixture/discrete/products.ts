import { factor, solve } from '../../linalg/cholesky.js'
import { middleHalf } from '../../linalg/middle-half.js'
import { columnOf, type Matrix, matrix } from '../../matrix.js'

/** With more columns than this only squares are tried. */
const MANY = 30
/** Columns count up to so many standard deviations: beyond, single rows would decide. */
const FARTHEST = 3
/** Variance that is left of a product beside the columns, below which it says nothing of its own. */
const OWN = 1e-6

/** A column that reaches so many scales of its middle half may act by its logarithm. */
const REACH = 8

/** A square or product of columns in standard deviations, or the logarithm of a column. */
export interface Product {
  /** Twice the same column of a square or a logarithm. */
  readonly of: readonly [number, number]
  readonly values: Float64Array
}

/** The logarithms of long columns, from their least value on. */
export function logarithmsOf(x: Matrix): Product[] {
  return columnsOf(x).flatMap((column, a) => {
    const { scale } = middleHalf(column)
    const [least, most] = [column.reduce((p, q) => Math.min(p, q)), column.reduce((p, q) => Math.max(p, q))]
    if (!(scale > 0) || most - least < REACH * scale) return []
    return [{ of: [a, a] as const, values: column.map((value) => Math.log1p((value - least) / scale)) }]
  })
}

function columnsOf(x: Matrix): Float64Array[] {
  return Array.from({ length: x.cols }, (_, j) => columnOf(x, j))
}

/** Squares and products of the columns, each in standard deviations, and logarithms of long ones, from their least value on. */
export function productsOf(x: Matrix): Product[] {
  const columns = columnsOf(x).map(standardised)
  const products = columns.flatMap((one, a) =>
    columns.slice(a, x.cols <= MANY ? undefined : a + 1).map((other, k) => ({
      of: [a, a + k] as const,
      values: one.map((value, i) => value * other[i]),
    })),
  )
  return [...products, ...logarithmsOf(x)]
}

function standardised(column: Float64Array): Float64Array {
  const rows = column.length
  const mean = column.reduce((sum, value) => sum + value, 0) / rows
  const deviation = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows)
  return column.map((value) =>
    deviation > 0 ? Math.max(-FARTHEST, Math.min(FARTHEST, (value - mean) / deviation)) : 0,
  )
}

/** What the best line in the columns leaves of some values; undefined where that is nothing. */
export function beyondLines(x: Matrix): (values: Float64Array) => Float64Array | undefined {
  const size = x.cols + 1
  const design = Array.from({ length: x.rows }, (_, i) => {
    const z = new Float64Array(size).fill(1)
    z.set(x.values.subarray(i * x.cols, (i + 1) * x.cols), 1)
    return z
  })
  const products = new Float64Array(size * size)
  for (const z of design)
    for (let j = 0; j < size; j++) for (let k = 0; k <= j; k++) products[j * size + k] += z[j] * z[k]
  const f = factor(products, size)
  return (values) => {
    const line = new Float64Array(size)
    design.forEach((z, i) => {
      for (let j = 0; j < size; j++) line[j] += z[j] * values[i]
    })
    solve(f, line)
    const own = values.map((value, i) => value - design[i].reduce((sum, z, j) => sum + z * line[j], 0))
    const squares = own.reduce((sum, value) => sum + value * value, 0)
    return squares > OWN * values.reduce((sum, value) => sum + value * value, 0) ? own : undefined
  }
}

/** The matrix with one more column. */
export function withColumn({ rows, cols, values }: Matrix, more: Float64Array): Matrix {
  const out = matrix(rows, cols + 1)
  for (let i = 0; i < rows; i++) {
    out.values.set(values.subarray(i * cols, (i + 1) * cols), i * (cols + 1))
    out.values[(i + 1) * (cols + 1) - 1] = more[i]
  }
  return out
}
