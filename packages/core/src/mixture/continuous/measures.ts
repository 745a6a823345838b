import { type Matrix, matrix } from '../../matrix.js'

/** The features that measure something, with their places among all. */
export interface Measures {
  readonly x: Matrix
  readonly columns: readonly number[]
}

/** The columns of more than two values: an indicator lies in no cloud, and a rare category is not far out in it. */
export function measuresOf(x: Matrix): Measures {
  const columns = Array.from({ length: x.cols }, (_, j) => j).filter((j) => hasThree(x, j))
  if (columns.length === x.cols) return { x, columns }
  const out = matrix(x.rows, columns.length)
  for (let i = 0; i < x.rows; i++)
    for (let k = 0; k < columns.length; k++)
      out.values[i * columns.length + k] = x.values[i * x.cols + columns[k]]
  return { x: out, columns }
}

function hasThree({ rows, cols, values }: Matrix, column: number): boolean {
  let second: number | undefined
  for (let i = 1; i < rows; i++) {
    const value = values[i * cols + column]
    if (value === values[column] || value === second) continue
    if (second !== undefined) return true
    second = value
  }
  return false
}
