/**
 * Solves symmetric systems G x = b that come from sums of squares, where columns may be in any units and may depend on
 * each other. G is scaled to a unit diagonal, then factored by Cholesky in the given column order; a column
 * whose pivot vanishes depends on those before it and is left out (its solution is 0).
 */
export interface Factor {
  readonly size: number
  /** The factor L of the scaled matrix, row by row. */
  readonly lower: Float64Array
  /** 1 / sqrt of G's diagonal; 0 for a column left out. */
  readonly scale: Float64Array
  /** Columns left out, in order. */
  readonly dependent: readonly number[]
}

/** Pivots of the scaled matrix below this are rounding noise: 1 - R^2 of a column on those before it. */
const NEGLIGIBLE = 1e-11

/** Factors the lower triangle of G (size x size, row by row). `G` stays as it is; the result may be given its memory. */
export function factor(
  G: Float64Array,
  size: number,
  negligible: number = NEGLIGIBLE,
  lower: Float64Array = new Float64Array(size * size),
  scale: Float64Array = new Float64Array(size),
): Factor {
  const dependent: number[] = []
  for (let j = 0; j < size; j++) {
    const diagonal = G[j * size + j]
    scale[j] = diagonal > 0 ? 1 / Math.sqrt(diagonal) : 0
  }
  for (let j = 0; j < size; j++) {
    const row = j * size
    let pivot = 1
    for (let k = 0; k < j; k++) {
      let sum = G[row + k] * scale[j] * scale[k]
      const other = k * size
      for (let p = 0; p < k; p++) sum -= lower[row + p] * lower[other + p]
      const entry = lower[other + k] === 0 ? 0 : sum / lower[other + k]
      lower[row + k] = entry
      pivot -= entry * entry
    }
    if (scale[j] === 0 || !(pivot > negligible)) {
      dependent.push(j)
      scale[j] = 0
      lower.fill(0, row, row + j + 1)
    } else lower[row + j] = Math.sqrt(pivot)
  }
  return { size, lower, scale, dependent }
}

/** x with G x = b, in place. */
export function solve(f: Factor, b: Float64Array): void {
  const { size, lower, scale } = f
  for (let j = 0; j < size; j++) {
    const row = j * size
    let sum = b[j] * scale[j]
    for (let k = 0; k < j; k++) sum -= lower[row + k] * b[k]
    b[j] = lower[row + j] === 0 ? 0 : sum / lower[row + j]
  }
  for (let j = size - 1; j >= 0; j--) {
    let sum = b[j]
    for (let k = j + 1; k < size; k++) sum -= lower[k * size + j] * b[k]
    b[j] = lower[j * size + j] === 0 ? 0 : sum / lower[j * size + j]
  }
  for (let j = 0; j < size; j++) b[j] *= scale[j]
}

/** W, lower triangular, with W' W = G^-1: what a row must be multiplied by for its length to be its distance. */
export function inverseRoot({ size, lower, scale }: Factor): Float64Array {
  const out = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    const pivot = lower[j * size + j]
    if (pivot === 0) continue
    for (let k = 0; k < j; k++) {
      let sum = 0
      for (let p = k; p < j; p++) sum -= lower[j * size + p] * out[p * size + k]
      out[j * size + k] = sum / pivot
    }
    out[j * size + j] = scale[j] / pivot
  }
  return out
}

/** log det G, minus infinity where a column was left out. */
export function logDeterminant(f: Factor): number {
  if (f.dependent.length > 0) return Number.NEGATIVE_INFINITY
  let sum = 0
  for (let j = 0; j < f.size; j++) sum += 2 * Math.log(f.lower[j * f.size + j] / f.scale[j])
  return sum
}
