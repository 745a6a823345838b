/**
 * Moving average with a triangular kernel: weights 1, 2, …, half, …, 2, 1 about each value, renormalised at the ends and
 * where values are missing (NaN). The paper's curves have half = 10 batches; the released code also shifts them.
 */
export function smooth(values: ArrayLike<number>, half: number): Float64Array {
  const out = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    let sum = 0
    let total = 0
    const last = Math.min(values.length - 1, i + half - 1)
    for (let k = Math.max(0, i - half + 1); k <= last; k++) {
      const value = values[k] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const weight = half - Math.abs(k - i)
      sum += weight * value
      total += weight
    }
    out[i] = total === 0 ? Number.NaN : sum / total
  }
  return out
}
