import type { Matrix } from 'rlvi'

/** Of two columns; 0 where one does not vary. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value / a.length, 0)
  const [ma, mb] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  a.forEach((value, i) => {
    ab += (value - ma) * (b[i]! - mb)
    aa += (value - ma) ** 2
    bb += (b[i]! - mb) ** 2
  })
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0
}

/** A column with mean 0 and sum of squares 1. */
export function standardised(x: Matrix, j: number): Float64Array {
  const out = Float64Array.from({ length: x.rows }, (_, i) => x.values[i * x.cols + j]!)
  const mean = out.reduce((sum, value) => sum + value, 0) / x.rows
  const norm = Math.sqrt(out.reduce((sum, value) => sum + (value - mean) ** 2, 0))
  return out.map((value) => (norm > 0 ? (value - mean) / norm : 0))
}
