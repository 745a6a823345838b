/**
 * The loops of the E-step, plainly: the oracle of the SIMD kernels, and what short arrays and engines without SIMD
 * run. Each is one pass over the losses, without allocation.
 */

export interface Ends {
  /** n S(0) = sum (e^-l - 1): not positive means collapse. */
  readonly atZero: number
  /** n S(1) = sum (1 - e^l): not negative means saturation. */
  readonly atOne: number
  /** Finite unless a loss is NaN or infinite. */
  readonly checksum: number
}

/** 1 - e^-x for x >= 0, without cancellation for small x. */
function rise(x: number, expMinusX: number): number {
  return x < 0.1 ? -Math.expm1(-x) : 1 - expMinusX
}

/**
 * Folds the losses at 0: `decay` = e^-|l|, in (0, 1], and `folded` = 1 - e^-|l|, negated for l > 0. All that the
 * E-step needs is then bounded and one division per row and pass, whatever the size of the losses.
 */
export function foldLosses(losses: Float64Array, decay: Float64Array, folded: Float64Array): Ends {
  let atZero = 0
  let atOne = 0
  let checksum = 0
  for (let i = 0; i < losses.length; i++) {
    const l = losses[i]
    const size = Math.abs(l)
    const a = Math.exp(-size)
    const u = rise(size, a)
    decay[i] = a
    if (l >= 0) {
      folded[i] = -u
      atZero -= u
      atOne -= u / a
    } else {
      folded[i] = u
      atZero += u / a
      atOne += u
    }
    checksum += l * 0
  }
  return { atZero, atOne, checksum }
}

/** The score S at some mean weight q, by its terms: dS/dq = -squares, and half its second derivative is `cubes`. */
export interface Score {
  readonly value: number
  readonly squares: number
  readonly cubes: number
}

/**
 * The score S at mean weight q, or with `flip` that of the mirrored problem at 1 - q. With u = |folded| a loss l >= 0
 * adds the term -u / (1 - q u), a loss l < 0 adds u / (1 - (1 - q) u).
 */
export function score(folded: Float64Array, q: number, flip: boolean): Score {
  const sign = flip ? -1 : 1
  let value = 0
  let squares = 0
  let cubes = 0
  for (let i = 0; i < folded.length; i++) {
    const f = sign * folded[i]
    const term = f / (1 - Math.max(f, 0) + q * f)
    value += term
    squares += term * term
    cubes += term * term * term
  }
  return { value, squares, cubes }
}

/** pi = m e^-l / (m e^-l + 1 - m), from e^-|l| in `out` (overwritten) and the sign of l in `folded`. */
export function posterior(out: Float64Array, folded: Float64Array, mean: number, level: number): void {
  for (let i = 0; i < out.length; i++) {
    const a = out[i]
    out[i] = folded[i] > 0 ? mean / (mean + level * a) : (mean * a) / (mean * a + level)
  }
}

export interface FixedPoint {
  readonly sum: number
  /** Squared distance to the weights before this pass. */
  readonly moved: number
}

/** One pass of the paper's iteration (eq. 12), in place: pi = 1 / (1 + ratio e^l), with growth = e^l. */
export function fixedPoint(growth: Float64Array, ratio: number, weights: Float64Array): FixedPoint {
  let sum = 0
  let moved = 0
  for (let i = 0; i < weights.length; i++) {
    const next = 1 / (1 + ratio * growth[i])
    const change = next - weights[i]
    weights[i] = next
    sum += next
    moved += change * change
  }
  return { sum, moved }
}

/** out = e^(factor (l - shift)) */
export function exponentials(losses: Float64Array, factor: number, shift: number, out: Float64Array): void {
  for (let i = 0; i < losses.length; i++) out[i] = Math.exp(factor * (losses[i] - shift))
}

/** x log(x / y) from log y, 0 where x is 0. */
function xlogx(x: number, logY: number): number {
  return x === 0 ? 0 : x * (Math.log(x) - logY)
}

/** The paper's objective (eq. 10) at weights of mean m, from log m and log (1 - m). */
export function objective(
  losses: Float64Array,
  weights: Float64Array,
  logMean: number,
  logLevel: number,
): number {
  let total = 0
  for (let i = 0; i < weights.length; i++) {
    const p = weights[i]
    total += (p === 0 ? 0 : p * losses[i]) + xlogx(p, logMean) + xlogx(1 - p, logLevel)
  }
  return total
}
