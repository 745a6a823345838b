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
const REDUCTION = memory.data<f64>([LOG2E, ROUND, LN2_HIGH, LN2_LOW, 0.5, 1, -760, 720])
/** The exponent's offset in the format. */
const OFFSET = memory.data<i64>([1023])

// @ts-ignore: decorator
@inline
function constant(table: usize, k: usize): v128 {
  return v128.load_splat<f64>(table + (k << 3))
}

// @ts-ignore: decorator
@inline
export function one(): v128 {
  return constant(REDUCTION, 5)
}

/** x, or the nearest of -760 and 720, where e^x is 0 and infinity. */
// @ts-ignore: decorator
@inline
export function clamp(x: v128): v128 {
  return f64x2.pmax(f64x2.pmin(x, constant(REDUCTION, 7)), constant(REDUCTION, 6))
}

/** The whole number k nearest to x / ln 2, plus ROUND. */
// @ts-ignore: decorator
@inline
function exponent(x: v128): v128 {
  return f64x2.add(f64x2.mul(x, constant(REDUCTION, 0)), constant(REDUCTION, 1))
}

// @ts-ignore: decorator
@inline
function unround(rounded: v128): v128 {
  return f64x2.sub(rounded, constant(REDUCTION, 1))
}

/** 2^k for whole -1022 <= k <= 1023. */
// @ts-ignore: decorator
@inline
export function power(k: v128): v128 {
  return powerOfTwo(f64x2.add(k, constant(REDUCTION, 1)))
}

/** The same from k + ROUND. */
// @ts-ignore: decorator
@inline
function powerOfTwo(rounded: v128): v128 {
  return i64x2.shl(i64x2.add(rounded, v128.load_splat<i64>(OFFSET)), 52)
}

/** r = x - k ln 2, |r| < 0.35 */
// @ts-ignore: decorator
@inline
function remainder(x: v128, k: v128): v128 {
  const high = f64x2.sub(x, f64x2.mul(k, constant(REDUCTION, 2)))
  return f64x2.sub(high, f64x2.mul(k, constant(REDUCTION, 3)))
}

/** sum + factor term */
// @ts-ignore: decorator
@inline
function plus(sum: v128, factor: v128, term: v128): v128 {
  return f64x2.add(sum, f64x2.mul(factor, term))
}

/**
 * For every x of an array: k, the whole number nearest to x / ln 2, and e^(x - k ln 2) - 1 by Taylor's series, summed in
 * pairs so that the steps overlap. Four numbers at a time, because half the work is to load the constants; it
 * may therefore write up to three numbers past the end. `k` may be the array itself.
 */
export function reduceExponents(n: i32, x: usize, k: usize, m: usize): void {
  const end = x + (<usize>n << 3)
  for (; x < end; x += 32, k += 32, m += 32) {
    const x0 = v128.load(x)
    const x1 = v128.load(x, 16)
    const k0 = unround(exponent(x0))
    const k1 = unround(exponent(x1))
    const r0 = remainder(x0, k0)
    const r1 = remainder(x1, k1)
    v128.store(k, k0)
    v128.store(k, k1, 16)
    const s0 = f64x2.mul(r0, r0)
    const s1 = f64x2.mul(r1, r1)
    const q0 = f64x2.mul(s0, s0)
    const q1 = f64x2.mul(s1, s1)
    const c10 = constant(FACTORIALS, 10)
    const c11 = constant(FACTORIALS, 11)
    const c8 = constant(FACTORIALS, 8)
    const c9 = constant(FACTORIALS, 9)
    let sum0 = plus(plus(c8, r0, c9), s0, plus(c10, r0, c11))
    let sum1 = plus(plus(c8, r1, c9), s1, plus(c10, r1, c11))
    const c4 = constant(FACTORIALS, 4)
    const c5 = constant(FACTORIALS, 5)
    const c6 = constant(FACTORIALS, 6)
    const c7 = constant(FACTORIALS, 7)
    sum0 = plus(plus(plus(c4, r0, c5), s0, plus(c6, r0, c7)), q0, sum0)
    sum1 = plus(plus(plus(c4, r1, c5), s1, plus(c6, r1, c7)), q1, sum1)
    const c0 = constant(FACTORIALS, 0)
    const c1 = constant(FACTORIALS, 1)
    const c2 = constant(FACTORIALS, 2)
    const c3 = constant(FACTORIALS, 3)
    sum0 = plus(plus(plus(c0, r0, c1), s0, plus(c2, r0, c3)), q0, sum0)
    sum1 = plus(plus(plus(c0, r1, c1), s1, plus(c2, r1, c3)), q1, sum1)
    v128.store(m, plus(r0, s0, sum0))
    v128.store(m, plus(r1, s1, sum1), 16)
  }
}

/**
 * 2^k is made of two factors, 2^(k/2) each, so that results below the smallest normal number and near the largest come
 * out right. This is the first exponent, plus ROUND,
 */
// @ts-ignore: decorator
@inline
function halfOf(k: v128): v128 {
  return f64x2.add(f64x2.mul(k, constant(REDUCTION, 4)), constant(REDUCTION, 1))
}

/** and this the second one. */
// @ts-ignore: decorator
@inline
function otherHalfOf(k: v128, half: v128): v128 {
  return f64x2.add(f64x2.sub(k, unround(half)), constant(REDUCTION, 1))
}

/** 2^k (1 + m) for any k; beyond the range of the format, 0 or infinity. */
// @ts-ignore: decorator
@inline
export function scaled(k: v128, m: v128): v128 {
  const half = halfOf(k)
  return f64x2.mul(f64x2.mul(f64x2.add(one(), m), powerOfTwo(half)), powerOfTwo(otherHalfOf(k, half)))
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
