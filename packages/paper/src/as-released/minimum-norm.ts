import type { Matrix } from 'rlvi'

/**
 * The weighted least-squares coefficients as scipy's lstsq gives them: where the rows that count cannot tell all
 * coefficients apart, the shortest solution. (The library's own fit leaves such coefficients where they were.)
 */
export function minimumNorm(x: Matrix, y: Float64Array, weights: Float64Array | undefined): Float64Array {
  const n = x.cols
  const rows: number[][] = Array.from({ length: x.rows }, (_, i) => {
    const root = Math.sqrt(weights?.[i] ?? 1)
    return [...x.values.subarray(i * n, (i + 1) * n), y[i] as number].map((value) => value * root)
  })
  const rank = triangularise(rows, n)
  const basis: number[][] = []
  const solved: number[] = []
  // Rows of the triangle, made orthonormal from the first on; the right side follows.
  for (const row of rows.slice(0, rank)) {
    const rest = row.slice(0, n)
    let right = row[n] as number
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((unit, k) => {
        const along = dot(rest, unit)
        unit.forEach((value, j) => {
          rest[j] = (rest[j] as number) - along * value
        })
        right -= along * (solved[k] as number)
      })
    }
    const size = Math.hypot(...rest)
    basis.push(rest.map((value) => value / size))
    solved.push(right / size)
  }
  return Float64Array.from({ length: n }, (_, j) =>
    basis.reduce((sum, unit, k) => sum + (solved[k] as number) * (unit[j] as number), 0),
  )
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, j) => sum + value * (b[j] as number), 0)
}

/** Householder QR with column pivoting, in place and with columns left where they are; returns the rank. */
function triangularise(rows: number[][], n: number): number {
  const left = new Set(Array.from({ length: n }, (_, j) => j))
  let first = 0
  for (let k = 0; k < Math.min(n, rows.length); k++) {
    const below = rows.slice(k)
    const norm = (j: number): number => Math.hypot(...below.map((row) => row[j] as number))
    const pivot = [...left].reduce((best, j) => (norm(j) > norm(best) ? j : best))
    const size = norm(pivot)
    if (k === 0) first = size
    if (size <= Number.EPSILON * first) return k
    left.delete(pivot)
    const v = below.map((row) => row[pivot] as number)
    v[0] = (v[0] as number) + (Math.sign(v[0] as number) || 1) * size
    const half = dot(v, v) / 2
    for (let j = 0; j <= n; j++) {
      const along = below.reduce((sum, row, i) => sum + (v[i] as number) * (row[j] as number), 0) / half
      below.forEach((row, i) => {
        row[j] = (row[j] as number) - along * (v[i] as number)
      })
    }
  }
  return Math.min(n, rows.length)
}
