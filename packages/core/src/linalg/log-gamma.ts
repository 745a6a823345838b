/** log Gamma(x) for x > 0, to about 1e-14: Stirling's series, reached by the recurrence. */
export function logGamma(x: number): number {
  let shift = 0
  let z = x
  while (z < 10) {
    shift += Math.log(z)
    z++
  }
  const inverse = 1 / z
  const square = inverse * inverse
  const series =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (5 / 5940)))))
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift
}
