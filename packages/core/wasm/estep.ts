/** The loops of the E-step, two rows at a time: the number of rows is even (see src/kernels/chunk.ts). */
import { clamp, log, one, power, reduceExponents, scaled, splat } from './math'

/** Sums two lanes into the number at `at`. */
// @ts-ignore: decorator
@inline
export function addTo(at: usize, sum: v128): void {
  store<f64>(at, load<f64>(at) + f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1))
}

/**
 * decay = e^-|l| and folded = 1 - e^-|l|, negated for l > 0. With -|l| = k ln 2 + r and m = e^r - 1,
 *   e^-|l| = 2^k (1 + m),   1 - e^-|l| = (1 - 2^k) - 2^k m,
 * which has no cancellation, because 1 - 2^k is 0 or at least a half.
 * params: q, sign. Sums: those of `score` at q; n S(0), n S(1), and a checksum that is not finite if a loss is not.
 */
export function fold(n: i32, _: i32, losses: usize, decay: usize, folded: usize, params: usize, sums: usize): void {
  const bytes = <usize>n << 3
  for (let at: usize = 0; at < bytes; at += 16) {
    // e^-700 is 0 to all that comes, and its products are still normal numbers, which are faster.
    v128.store(decay + at, f64x2.pmax(f64x2.neg(f64x2.abs(v128.load(losses + at))), splat(-700)))
  }
  reduceExponents(n, decay, decay, folded)
  let atZero = splat(0)
  let atOne = splat(0)
  let checksum = splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const l = v128.load(losses + at)
    const scale = power(v128.load(decay + at))
    const part = f64x2.mul(scale, v128.load(folded + at))
    const a = f64x2.add(scale, part)
    const u = f64x2.sub(f64x2.sub(one(), scale), part)
    const signed = v128.xor(f64x2.neg(u), v128.and(l, i64x2.splat(i64.MIN_VALUE)))
    const ratio = f64x2.div(signed, a)
    v128.store(decay + at, a)
    v128.store(folded + at, signed)
    // |ratio| >= |signed|, so the larger one is the ratio for good rows, l < 0, and the smaller one for the others.
    atZero = f64x2.add(atZero, f64x2.pmax(signed, ratio))
    atOne = f64x2.add(atOne, f64x2.pmin(signed, ratio))
    checksum = f64x2.add(checksum, f64x2.mul(l, splat(0)))
  }
  addTo(sums + 24, atZero)
  addTo(sums + 32, atOne)
  addTo(sums + 40, checksum)
  score(n, 1, folded, 0, 0, params, sums)
}

/** params: q, sign. Sums: the terms of S at the mean weight q, their squares and their cubes. */
export function score(n: i32, _: i32, folded: usize, b: usize, c: usize, params: usize, sums: usize): void {
  const q = v128.load_splat<f64>(params)
  const sign = v128.load_splat<f64>(params + 8)
  let value = splat(0)
  let square = splat(0)
  let cube = splat(0)
  const bytes = <usize>n << 3
  for (let at: usize = 0; at < bytes; at += 16) {
    const f = f64x2.mul(sign, v128.load(folded + at))
    const positive = f64x2.pmax(f, splat(0))
    const term = f64x2.div(f, f64x2.add(f64x2.sub(one(), positive), f64x2.mul(q, f)))
    const squared = f64x2.mul(term, term)
    value = f64x2.add(value, term)
    square = f64x2.add(square, squared)
    cube = f64x2.add(cube, f64x2.mul(term, squared))
  }
  addTo(sums, value)
  addTo(sums + 8, square)
  addTo(sums + 16, cube)
}

/** params: mean, level. out holds e^-|l| and gets the weight. */
export function posterior(n: i32, _: i32, out: usize, folded: usize, c: usize, params: usize, sums: usize): void {
  const mean = v128.load_splat<f64>(params)
  const level = v128.load_splat<f64>(params + 8)
  const bytes = <usize>n << 3
  for (let at: usize = 0; at < bytes; at += 16) {
    const a = v128.load(out + at)
    const good = f64x2.gt(v128.load(folded + at), splat(0))
    // m A / (m A + (1 - m) B) with (A, B) = (1, a) for good rows and (a, 1) for the others
    const up = f64x2.mul(mean, v128.bitselect(one(), a, good))
    const down = f64x2.mul(level, v128.bitselect(a, one(), good))
    v128.store(out + at, f64x2.div(up, f64x2.add(up, down)))
  }
}

/** params: factor, shift. out = e^(factor (l - shift)). */
export function expAll(
  n: i32, _: i32, losses: usize, out: usize, c: usize, params: usize, sums: usize, scratch: usize,
): void {
  const factor = v128.load_splat<f64>(params)
  const shift = v128.load_splat<f64>(params + 8)
  const bytes = <usize>n << 3
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(out + at, clamp(f64x2.mul(factor, f64x2.sub(v128.load(losses + at), shift))))
  }
  reduceExponents(n, out, out, scratch)
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(out + at, scaled(v128.load(out + at), v128.load(scratch + at)))
  }
}

/** params: ratio. pi = 1 / (1 + ratio e^l) in place; sums: their total and how far they moved, squared. */
export function fixedPoint(n: i32, _: i32, growth: usize, pi: usize, c: usize, params: usize, sums: usize): void {
  const ratio = v128.load_splat<f64>(params)
  let sum = splat(0)
  let moved = splat(0)
  const bytes = <usize>n << 3
  for (let at: usize = 0; at < bytes; at += 16) {
    const next = f64x2.div(one(), f64x2.add(one(), f64x2.mul(ratio, v128.load(growth + at))))
    const change = f64x2.sub(next, v128.load(pi + at))
    v128.store(pi + at, next)
    sum = f64x2.add(sum, next)
    moved = f64x2.add(moved, f64x2.mul(change, change))
  }
  addTo(sums, sum)
  addTo(sums + 8, moved)
}

/** x log(x / y) from log y; 0 where x is 0. */
// @ts-ignore: decorator
@inline
function xlogx(x: v128, logY: v128): v128 {
  const safe = f64x2.pmax(x, splat(2.2250738585072014e-308))
  return f64x2.mul(x, f64x2.sub(log(safe), logY))
}

/** params: log m, log (1 - m). Sum: the paper's objective (eq. 10). */
export function objective(n: i32, _: i32, losses: usize, pi: usize, c: usize, params: usize, sums: usize): void {
  const logMean = v128.load_splat<f64>(params)
  const logLevel = v128.load_splat<f64>(params + 8)
  let total = splat(0)
  const bytes = <usize>n << 3
  for (let at: usize = 0; at < bytes; at += 16) {
    const p = v128.load(pi + at)
    const entropy = f64x2.add(xlogx(p, logMean), xlogx(f64x2.sub(one(), p), logLevel))
    total = f64x2.add(total, f64x2.add(f64x2.mul(p, v128.load(losses + at)), entropy))
  }
  addTo(sums, total)
}
