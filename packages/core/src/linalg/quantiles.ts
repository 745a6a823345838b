/** The z that a normal variable exceeds, in size, with this probability; to about 1e-9 by Newton's method. */
export function normalQuantile(twoSided: number): number {
  const tail = twoSided / 2
  // Hastings's start (Abramowitz and Stegun 26.2.23), then two steps on the tail itself.
  const t = Math.sqrt(-2 * Math.log(tail))
  let z =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  for (let k = 0; k < 3; k++) {
    const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI)
    z += (normalTail(z) - tail) / density
  }
  return z
}

/** P(normal > z) for z > 0, by its continued fraction or series. */
function normalTail(z: number): number {
  const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI)
  if (z < 3) {
    // 1/2 - density (z + z^3/3 + z^5/15 + ...).
    let term = z
    let sum = z
    for (let k = 1; k < 100; k++) {
      term *= (z * z) / (2 * k + 1)
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let k = 60; k > 0; k--) fraction = k / (z + fraction)
  return density / (z + fraction)
}

/**
 * The t that Student's t exceeds, in size, with this probability, by its expansion about the normal quantile (Abramowitz and
 * Stegun 26.7.5); of infinitely many degrees of freedom, the normal one.
 */
export function studentQuantile(twoSided: number, degrees: number): number {
  const z = normalQuantile(twoSided)
  const nu = Math.max(degrees, 1)
  const z2 = z * z
  return (
    z +
    (z * (z2 + 1)) / (4 * nu) +
    (z * (z2 * (5 * z2 + 16) + 3)) / (96 * nu ** 2) +
    (z * (z2 * (z2 * (3 * z2 + 19) + 17) - 15)) / (384 * nu ** 3)
  )
}
