/** The natural cubic spline through points, as a function: twice differentiable, with no bend at its ends. */
export function cubicSpline(x: readonly number[], y: readonly number[]): (at: number) => number {
  const n = x.length
  const bends = new Float64Array(n)
  const rest = new Float64Array(n)
  for (let k = 1; k < n - 1; k++) {
    const share = (x[k] - x[k - 1]) / (x[k + 1] - x[k - 1])
    const pivot = share * bends[k - 1] + 2
    const slopes = (y[k + 1] - y[k]) / (x[k + 1] - x[k]) - (y[k] - y[k - 1]) / (x[k] - x[k - 1])
    bends[k] = (share - 1) / pivot
    rest[k] = ((6 * slopes) / (x[k + 1] - x[k - 1]) - share * rest[k - 1]) / pivot
  }
  bends[n - 1] = 0
  for (let k = n - 2; k >= 0; k--) bends[k] = bends[k] * bends[k + 1] + rest[k]
  return (at) => {
    let k = 1
    while (k < n - 1 && at > x[k]) k++
    const width = x[k] - x[k - 1]
    const a = (x[k] - at) / width
    const b = 1 - a
    const bend = ((a ** 3 - a) * bends[k - 1] + (b ** 3 - b) * bends[k]) * (width * width)
    return a * y[k - 1] + b * y[k] + bend / 6
  }
}
