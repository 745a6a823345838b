/** A place, and a function's value there. */
export type Point = readonly [at: number, value: number]

/** The root of a function that is positive at `low` and negative at `high`, by regula falsi (Illinois). */
export function root(
  f: (x: number) => number,
  low: Point,
  high: Point,
  guess: number,
  tolerance: number,
): number {
  let [a, fa] = low
  let [b, fb] = high
  let side = 0
  let x = guess > a && guess < b ? guess : (a + b) / 2
  for (let k = 0; k < 100; k++) {
    const fx = f(x)
    if (Math.abs(fx) <= tolerance) return x
    if (fx > 0) {
      a = x
      fa = fx
      if (side > 0) fb /= 2
      side = 1
    } else {
      b = x
      fb = fx
      if (side < 0) fa /= 2
      side = -1
    }
    if (b - a <= tolerance * Math.max(1, Math.abs(b))) return (a + b) / 2
    const next = a + ((b - a) * fa) / (fa - fb)
    x = next > a && next < b ? next : (a + b) / 2
  }
  return x
}
