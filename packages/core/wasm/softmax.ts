/** The loss of softmax regression and its gradient: two products of matrices with the exponentials between them. */
import { clamp, log, reduceExponents, scaled, splat } from './math'

/** Rows that go through all steps together: they stay in the first-level cache. */
const STRIP: i32 = 32

/**
 * params: the number of classes K, then their coefficients, class by class; columns and classes are even in number (the
 * last class of an odd number is padding). y: the class of each row; w: its weight. Sums: sum_i w_i loss_i, then its
 * gradient. Scratch: twice STRIP rows of classes, and four more.
 */
export function softmax(
  n: i32, cols: i32, x: usize, y: usize, w: usize, params: usize, sums: usize, scratch: usize,
): void {
  const classes = <i32>load<f64>(params)
  const even = (classes + 1) & ~1
  const row = <usize>cols << 3
  const wide = <usize>even << 3
  const eta = scratch
  const rest = scratch + <usize>(STRIP * even + 4) * 8
  let value: f64 = 0
  for (let i = 0; i < n; i += STRIP) {
    const rows = min(STRIP, n - i)
    const first = x + <usize>i * row
    for (let r = 0; r < rows; r += 4) {
      const left = min(4, rows - r)
      const x0 = first + <usize>r * row
      for (let k = 0; k < even; k += 2)
        scores(left, cols, x0, params + 8 + <usize>k * row, eta + <usize>r * wide + (<usize>k << 3), wide)
    }
    const at = <usize>i << 3
    value += excesses(rows, classes, even, y + at, w + at, eta, rest)
    for (let k = 0; k < even; k += 2)
      for (let r = 0; r < rows; r += 4) {
        const from = eta + <usize>r * wide + (<usize>k << 3)
        collect(min(4, rows - r), cols, first + <usize>r * row, from, wide, sums + 8 + <usize>k * row)
      }
  }
  store<f64>(sums, load<f64>(sums) + value)
}

// @ts-ignore: decorator
@inline
function plus(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b))
}

// @ts-ignore: decorator
@inline
function lanes(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3))
}

/** x_r . b_k for up to four rows and two classes. Rows that are not there are the first one again. */
function scores(left: i32, cols: i32, x0: usize, b: usize, out: usize, wide: usize): void {
  const row = <usize>cols << 3
  const x1 = left > 1 ? x0 + row : x0
  const x2 = left > 2 ? x0 + 2 * row : x0
  const x3 = left > 3 ? x0 + 3 * row : x0
  let s00 = splat(0), s01 = splat(0), s10 = splat(0), s11 = splat(0)
  let s20 = splat(0), s21 = splat(0), s30 = splat(0), s31 = splat(0)
  for (let at: usize = 0; at < row; at += 16) {
    const b0 = v128.load(b + at)
    const b1 = v128.load(b + row + at)
    let z = v128.load(x0 + at)
    s00 = plus(s00, z, b0)
    s01 = plus(s01, z, b1)
    z = v128.load(x1 + at)
    s10 = plus(s10, z, b0)
    s11 = plus(s11, z, b1)
    z = v128.load(x2 + at)
    s20 = plus(s20, z, b0)
    s21 = plus(s21, z, b1)
    z = v128.load(x3 + at)
    s30 = plus(s30, z, b0)
    s31 = plus(s31, z, b1)
  }
  v128.store(out, lanes(s00, s01))
  if (left > 1) v128.store(out + wide, lanes(s10, s11))
  if (left > 2) v128.store(out + 2 * wide, lanes(s20, s21))
  if (left > 3) v128.store(out + 3 * wide, lanes(s30, s31))
}

/** From scores to w (P(class) - [class = y]), in place; returns the weighted losses. */
function excesses(
  rows: i32, classes: i32, even: i32, y: usize, w: usize, eta: usize, rest: usize,
): f64 {
  const wide = <usize>even << 3
  let value: f64 = 0
  // The largest score of each row becomes 0; e^-760 is 0, so that padding has no probability. The loss knows no such bound.
  for (let r = 0; r < rows; r++) {
    const at = eta + <usize>r * wide
    if (even > classes) store<f64>(at + wide - 8, -Infinity)
    let most = v128.load(at)
    for (let k: usize = 16; k < wide; k += 16) most = f64x2.pmax(most, v128.load(at + k))
    const largest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1))
    const weight = load<f64>(w + (<usize>r << 3))
    const own = at + (<usize>load<f64>(y + (<usize>r << 3)) << 3)
    if (weight != 0) value += weight * (largest - load<f64>(own))
    const shift = splat(largest)
    for (let k: usize = 0; k < wide; k += 16) v128.store(at + k, clamp(f64x2.sub(v128.load(at + k), shift)))
  }
  reduceExponents(rows * even, eta, eta, rest)
  for (let r = 0; r < rows; r++) {
    const at = eta + <usize>r * wide
    const m = rest + <usize>r * wide
    let pair = splat(0)
    for (let k: usize = 0; k < wide; k += 16) {
      const p = scaled(v128.load(at + k), v128.load(m + k))
      v128.store(at + k, p)
      pair = f64x2.add(pair, p)
    }
    const sum = f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1)
    const weight = load<f64>(w + (<usize>r << 3))
    if (weight != 0) value += weight * f64x2.extract_lane(log(splat(sum)), 0)
    const factor = splat(weight / sum)
    for (let k: usize = 0; k < wide; k += 16) v128.store(at + k, f64x2.mul(factor, v128.load(at + k)))
    const own = at + (<usize>load<f64>(y + (<usize>r << 3)) << 3)
    store<f64>(own, load<f64>(own) - weight)
  }
  return value
}

/** Adds sum_r e_rk x_r for up to four rows and two classes to G. */
function collect(left: i32, cols: i32, x0: usize, e: usize, wide: usize, G: usize): void {
  const row = <usize>cols << 3
  const x1 = left > 1 ? x0 + row : x0
  const x2 = left > 2 ? x0 + 2 * row : x0
  const x3 = left > 3 ? x0 + 3 * row : x0
  const e00 = v128.load_splat<f64>(e)
  const e01 = v128.load_splat<f64>(e, 8)
  let e10 = splat(0), e11 = splat(0), e20 = splat(0), e21 = splat(0), e30 = splat(0), e31 = splat(0)
  if (left > 1) {
    e10 = v128.load_splat<f64>(e + wide)
    e11 = v128.load_splat<f64>(e + wide, 8)
  }
  if (left > 2) {
    e20 = v128.load_splat<f64>(e + 2 * wide)
    e21 = v128.load_splat<f64>(e + 2 * wide, 8)
  }
  if (left > 3) {
    e30 = v128.load_splat<f64>(e + 3 * wide)
    e31 = v128.load_splat<f64>(e + 3 * wide, 8)
  }
  for (let at: usize = 0; at < row; at += 16) {
    const z0 = v128.load(x0 + at)
    const z1 = v128.load(x1 + at)
    const z2 = v128.load(x2 + at)
    const z3 = v128.load(x3 + at)
    const g0 = f64x2.add(plus(f64x2.mul(e00, z0), e10, z1), plus(f64x2.mul(e20, z2), e30, z3))
    const g1 = f64x2.add(plus(f64x2.mul(e01, z0), e11, z1), plus(f64x2.mul(e21, z2), e31, z3))
    v128.store(G + at, f64x2.add(v128.load(G + at), g0))
    v128.store(G + row + at, f64x2.add(v128.load(G + row + at), g1))
  }
}
