/** Exponential and logarithm of two numbers at once, to about one unit in the last place. */

// @ts-ignore: decorator
@inline
export function splat(x: f64): v128 {
  return f64x2.splat(x)
}

/** Adding this to a number below 2^51 rounds it to a whole one, which then sits in the low bits. */
const ROUND: f64 = 6755399441055744
const LOG2E: f64 = 1.4426950408889634
/** ln 2 in two parts; the first has so many zero bits that its product with an exponent is exact. */
const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10

/** 1/2!, 1/3!, ... 1/13!: constants from memory, because an immediate takes the engine three instructions. */
const FACTORIALS = memory.data<f64>([
  0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333, 0.001388888888888889,
  0.0001984126984126984, 0.0000248015873015873, 0.0000027557319223985893, 2.755731922398589e-7,
  2.505210838544172e-8, 2.08767569878681e-9, 1.6059043836821613e-10,
])
const REDUCTION = memory.data<f64>([LOG2E, ROUND, LN2_HIGH, LN2_LOW])

// @ts-ignore: decorator
@inline
function constant(table: usize, k: usize): v128 {
  return v128.load_splat<f64>(table + (k << 3))
}

/** The whole number k nearest to x / ln 2, plus ROUND. */
// @ts-ignore: decorator
@inline
export function exponent(x: v128): v128 {
  return f64x2.add(f64x2.mul(x, constant(REDUCTION, 0)), constant(REDUCTION, 1))
}

// @ts-ignore: decorator
@inline
export function unround(rounded: v128): v128 {
  return f64x2.sub(rounded, constant(REDUCTION, 1))
}

/** 2^k for -1022 <= k <= 1023, from k + ROUND. */
// @ts-ignore: decorator
@inline
function powerOfTwo(rounded: v128): v128 {
  return i64x2.shl(i64x2.add(rounded, i64x2.splat(1023)), 52)
}

/** e^r - 1 with r = x - k ln 2, |r| < 0.35: Taylor's series, summed in pairs so that the steps overlap. */
// @ts-ignore: decorator
@inline
export function expm1Reduced(x: v128, k: v128): v128 {
  const r = f64x2.sub(
    f64x2.sub(x, f64x2.mul(k, constant(REDUCTION, 2))),
    f64x2.mul(k, constant(REDUCTION, 3)),
  )
  const r2 = f64x2.mul(r, r)
  const r4 = f64x2.mul(r2, r2)
  const p0 = f64x2.add(constant(FACTORIALS, 0), f64x2.mul(r, constant(FACTORIALS, 1)))
  const p1 = f64x2.add(constant(FACTORIALS, 2), f64x2.mul(r, constant(FACTORIALS, 3)))
  const p2 = f64x2.add(constant(FACTORIALS, 4), f64x2.mul(r, constant(FACTORIALS, 5)))
  const p3 = f64x2.add(constant(FACTORIALS, 6), f64x2.mul(r, constant(FACTORIALS, 7)))
  const p4 = f64x2.add(constant(FACTORIALS, 8), f64x2.mul(r, constant(FACTORIALS, 9)))
  const p5 = f64x2.add(constant(FACTORIALS, 10), f64x2.mul(r, constant(FACTORIALS, 11)))
  const q0 = f64x2.add(p0, f64x2.mul(r2, p1))
  const q1 = f64x2.add(p2, f64x2.mul(r2, p3))
  const q2 = f64x2.add(p4, f64x2.mul(r2, p5))
  const series = f64x2.add(q0, f64x2.mul(r4, f64x2.add(q1, f64x2.mul(r4, q2))))
  return f64x2.add(r, f64x2.mul(r2, series))
}

/** 2^k in two factors, so that results below the smallest normal number and near the largest come out right. */
// @ts-ignore: decorator
@inline
export function halfPower(k: v128): v128 {
  return f64x2.add(f64x2.mul(k, splat(0.5)), constant(REDUCTION, 1))
}

// @ts-ignore: decorator
@inline
export function power(rounded: v128): v128 {
  return powerOfTwo(rounded)
}

/** e^x for any x; beyond the range of the format, 0 or infinity. */
// @ts-ignore: decorator
@inline
export function exp(x: v128): v128 {
  const clamped = f64x2.pmax(f64x2.pmin(x, splat(720)), splat(-760))
  const k = unround(exponent(clamped))
  const m = expm1Reduced(clamped, k)
  const half = halfPower(k)
  const rest = f64x2.add(f64x2.sub(k, unround(half)), constant(REDUCTION, 1))
  const scaled = f64x2.mul(f64x2.add(splat(1), m), powerOfTwo(half))
  return f64x2.mul(scaled, powerOfTwo(rest))
}

/** 2/3, 2/5, ... 2/23: of log((1 + s) / (1 - s)) = 2 s + 2 s^3 / 3 + ... */
const ATANH = memory.data<f64>([
  0.6666666666666666, 0.4, 0.2857142857142857, 0.2222222222222222, 0.18181818181818182, 0.15384615384615385,
  0.13333333333333333, 0.11764705882352941, 0.10526315789473684, 0.09523809523809523, 0.08695652173913043,
])

/** log x for positive normal x. */
// @ts-ignore: decorator
@inline
export function log(x: v128): v128 {
  // x = 2^k m with m between sqrt(1/2) and sqrt(2).
  const shifted = i64x2.sub(x, i64x2.splat(0x3fe6a09e667f3bcd))
  const exponents = i64x2.shr_u(i64x2.add(shifted, i64x2.splat(0x4000000000000000)), 52)
  const k = f64x2.sub(v128.or(exponents, i64x2.splat(0x4330000000000000)), splat(4503599627370496 + 1024))
  const bits = v128.and(shifted, i64x2.splat(0xfffffffffffff))
  const m = i64x2.add(bits, i64x2.splat(0x3fe6a09e667f3bcd))
  const s = f64x2.div(f64x2.sub(m, splat(1)), f64x2.add(m, splat(1)))
  const s2 = f64x2.mul(s, s)
  let series = constant(ATANH, 10)
  for (let j: usize = 10; j > 0; j--) series = f64x2.add(constant(ATANH, j - 1), f64x2.mul(s2, series))
  const fraction = f64x2.add(f64x2.add(s, s), f64x2.mul(f64x2.mul(s, s2), series))
  const low = f64x2.mul(k, constant(REDUCTION, 3))
  return f64x2.add(f64x2.mul(k, constant(REDUCTION, 2)), f64x2.add(low, fraction))
}
