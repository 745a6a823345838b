/** params[offset ...] times the row of `cols` values from `first` on; four sums, since each waits for its own only. */
export function dot(
  params: Float64Array,
  offset: number,
  values: Float64Array,
  first: number,
  cols: number,
): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let j = 0
  for (; j + 3 < cols; j += 4) {
    a += params[offset + j] * values[first + j]
    b += params[offset + j + 1] * values[first + j + 1]
    c += params[offset + j + 2] * values[first + j + 2]
    d += params[offset + j + 3] * values[first + j + 3]
  }
  for (; j < cols; j++) a += params[offset + j] * values[first + j]
  return a + b + (c + d)
}
