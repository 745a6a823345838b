/** Adds numbers to others, place by place. */
export function addTo(sums: Float64Array, more: ArrayLike<number>): void {
  for (let k = 0; k < sums.length; k++) sums[k] += more[k]
}

/** The sum of some numbers. */
export function sumOf(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
