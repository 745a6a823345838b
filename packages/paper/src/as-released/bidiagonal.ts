/** B = Q' A P, upper bidiagonal: its diagonals and P', row by row. */
export interface Bidiagonal {
  readonly diagonal: Float64Array
  readonly above: Float64Array
  readonly transposedP: Float64Array
}

/**
 * Householder bidiagonalisation of a tall matrix (row by row), with the signs of LAPACK's dgesdd: a reflection makes
 * the entry that stays the opposite of what it was, or is none where nothing has to go; a matrix of at least 11/6 times
 * as many rows as columns is reduced to its triangle first.
 */
export function bidiagonalise(values: Float64Array, rows: number, cols: number): Bidiagonal {
  let a = Float64Array.from(values)
  let m = rows
  if (rows >= Math.floor((11 * cols) / 6)) {
    for (let i = 0; i < cols; i++) leftReflection(a, m, cols, i)
    a = a.slice(0, cols * cols)
    m = cols
    for (let i = 1; i < cols; i++) a.fill(0, i * cols, i * cols + i)
  }
  const diagonal = new Float64Array(cols)
  const above = new Float64Array(Math.max(cols - 1, 0))
  const transposedP = new Float64Array(cols * cols)
  for (let j = 0; j < cols; j++) transposedP[j * cols + j] = 1
  for (let i = 0; i < cols; i++) {
    diagonal[i] = leftReflection(a, m, cols, i)
    if (i < cols - 1) above[i] = rightReflection(a, m, cols, i, transposedP)
  }
  return { diagonal, above, transposedP }
}

/** Clears column i below its diagonal and applies the same to the columns right of it; returns the new diagonal entry. */
function leftReflection(a: Float64Array, rows: number, cols: number, i: number): number {
  const at = (r: number, c: number): number => a[r * cols + c] as number
  const column = Float64Array.from({ length: rows - i }, (_, k) => at(i + k, i))
  const { beta, tau } = reflector(column)
  for (let j = i + 1; j < cols && tau !== 0; j++) {
    let inner = 0
    for (let k = 0; k < column.length; k++) inner += (column[k] as number) * at(i + k, j)
    for (let k = 0; k < column.length; k++)
      a[(i + k) * cols + j] = at(i + k, j) - tau * inner * (column[k] as number)
  }
  a[i * cols + i] = beta
  for (let r = i + 1; r < rows; r++) a[r * cols + i] = 0
  return beta
}

/** Clears row i right of its second diagonal, applies the same to the rows below, and gathers it in P'. */
function rightReflection(
  a: Float64Array,
  rows: number,
  cols: number,
  i: number,
  transposedP: Float64Array,
): number {
  const row = a.slice(i * cols + i + 1, (i + 1) * cols)
  const { beta, tau } = reflector(row)
  const apply = (values: Float64Array, from: number): void => {
    let inner = 0
    for (let k = 0; k < row.length; k++) inner += (row[k] as number) * (values[from + k] as number)
    for (let k = 0; k < row.length; k++)
      values[from + k] = (values[from + k] as number) - tau * inner * (row[k] as number)
  }
  if (tau !== 0) for (let r = i + 1; r < rows; r++) apply(a, r * cols + i + 1)
  // P' = … G2 G1: the newest reflection acts on the rows i + 1, … of what is gathered.
  for (let j = 0; j < cols && tau !== 0; j++) {
    let inner = 0
    for (let k = 0; k < row.length; k++)
      inner += (row[k] as number) * (transposedP[(i + 1 + k) * cols + j] as number)
    for (let k = 0; k < row.length; k++) {
      const p = (i + 1 + k) * cols + j
      transposedP[p] = (transposedP[p] as number) - tau * inner * (row[k] as number)
    }
  }
  return beta
}

/** dlarfg: I - tau v v' with v (into `x`, v_0 = 1) takes x to (beta, 0, …). */
function reflector(x: Float64Array): { beta: number; tau: number } {
  const alpha = x[0] as number
  const rest = Math.hypot(...x.subarray(1))
  if (rest === 0) return { beta: alpha, tau: 0 }
  const beta = -Math.hypot(alpha, rest) * (alpha < 0 || Object.is(alpha, -0) ? -1 : 1)
  for (let k = 1; k < x.length; k++) x[k] = (x[k] as number) / (alpha - beta)
  x[0] = 1
  return { beta, tau: (beta - alpha) / beta }
}
