/** The loops over the rows of a matrix. */
import { addTo } from './estep'
import { splat } from './math'

/** params: intercept, coefficients. out_i = intercept + x_i . coefficients */
export function predictor(n: i32, cols: i32, x: usize, out: usize, c: usize, params: usize, sums: usize): void {
  const intercept = load<f64>(params)
  const even = <usize>(cols & ~1) << 3
  const coefficients = params + 8
  for (let i = 0; i < n; i++) {
    let pair = splat(0)
    for (let at: usize = 0; at < even; at += 16) {
      pair = f64x2.add(pair, f64x2.mul(v128.load(x + at), v128.load(coefficients + at)))
    }
    let sum = intercept + f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1)
    if (cols & 1) sum += load<f64>(x + even) * load<f64>(coefficients + even)
    store<f64>(out + (<usize>i << 3), sum)
    x += <usize>cols << 3
  }
}

/** params: the centre c, then what each column is multiplied by. x_ij = (x_ij - c_j) per_j, in its own place. */
export function rescale(n: i32, cols: i32, x: usize, b: usize, c: usize, params: usize): void {
  const width = <usize>cols << 3
  const per = params + width
  for (let i = 0; i < n; i++) {
    let at: usize = 0
    for (; at + 16 <= width; at += 16)
      v128.store(x + at, f64x2.mul(f64x2.sub(v128.load(x + at), v128.load(params + at)), v128.load(per + at)))
    if (at < width)
      store<f64>(x + at, (load<f64>(x + at) - load<f64>(params + at)) * load<f64>(per + at))
    x += width
  }
}

/** The sum of 0 times every entry: 0, or NaN where an entry is not finite. */
export function checksum(n: i32, cols: i32, x: usize, b: usize, c: usize, params: usize, sums: usize): void {
  const zero = splat(0)
  let s0 = zero
  let s1 = zero
  const bytes = <usize>(n * cols) << 3
  const end = x + bytes
  for (; x + 32 <= end; x += 32) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(x), zero))
    s1 = f64x2.add(s1, f64x2.mul(v128.load(x, 16), zero))
  }
  addTo(sums, f64x2.add(s0, s1))
  for (; x < end; x += 8) store<f64>(sums, load<f64>(sums) + load<f64>(x) * 0)
}

/** Sums: sum_i v_i x_i, then sum_i v_i. */
export function columnSums(n: i32, cols: i32, x: usize, v: usize, c: usize, params: usize, sums: usize): void {
  const even = <usize>(cols & ~1) << 3
  const row = <usize>cols << 3
  let total: f64 = 0
  for (let i = 0; i < n; i++) {
    const w = load<f64>(v + (<usize>i << 3))
    const ww = splat(w)
    total += w
    for (let at: usize = 0; at < even; at += 16) {
      v128.store(sums + at, f64x2.add(v128.load(sums + at), f64x2.mul(ww, v128.load(x + at))))
    }
    if (cols & 1) store<f64>(sums + even, load<f64>(sums + even) + w * load<f64>(x + even))
    x += row
  }
  store<f64>(sums + row, load<f64>(sums + row) + total)
}

/** One row of a tile: adds f (b0, b1) to a pair of accumulators. */
// @ts-ignore: decorator
@inline
function accumulate(sum: v128, factor: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(factor, b))
}

/**
 * params: the centre c. Sums: g = sum_i s_i (x_i - c), h = sum_i v_i (x_i - c), then the lower triangle of
 * G = sum_i v_i (x_i - c)(x_i - c)', all for columns padded with zeros to a multiple of four, so that G is made of 4 x 4 tiles
 * held in registers.
 */
export function gram(
  n: i32, cols: i32, x: usize, v: usize, s: usize, params: usize, sums: usize, scratch: usize,
): void {
  const padded = (cols + 3) & ~3
  const stride = <usize>padded << 3
  const G = sums + 2 * stride
  // As many rows at a time as the first-level cache holds twice, centred and weighted.
  const strip = max(8, 1280 / padded)
  const z = scratch
  const vz = scratch + <usize>strip * stride
  for (let i = 0; i < n; i += strip) {
    const rows = min(strip, n - i)
    const at = <usize>i << 3
    pack(rows, cols, x + at * cols, v + at, s + at, params, sums, z, vz, stride)
    for (let j: usize = 0; j < stride; j += 32) {
      for (let k: usize = 0; k <= j; k += 32) tile(rows, vz + j, z + k, stride, G + (j >> 3) * stride + k)
    }
  }
}

/** Centres the rows into z and v z, with zeros in the padding, and adds s z to g and v z to h, which lies behind it. */
function pack(
  n: i32, cols: i32, x: usize, v: usize, s: usize, centre: usize, g: usize, z: usize, vz: usize, stride: usize,
): void {
  const width = <usize>cols << 3
  const h = g + stride
  for (let i = 0; i < n; i++) {
    const vi = load<f64>(v + (<usize>i << 3))
    const si = load<f64>(s + (<usize>i << 3))
    let at: usize = 0
    for (; at + 16 <= width; at += 16) {
      const d = f64x2.sub(v128.load(x + at), v128.load(centre + at))
      const vd = f64x2.mul(splat(vi), d)
      v128.store(z + at, d)
      v128.store(vz + at, vd)
      v128.store(g + at, f64x2.add(v128.load(g + at), f64x2.mul(splat(si), d)))
      v128.store(h + at, f64x2.add(v128.load(h + at), vd))
    }
    for (; at < width; at += 8) {
      const d = load<f64>(x + at) - load<f64>(centre + at)
      store<f64>(z + at, d)
      store<f64>(vz + at, vi * d)
      store<f64>(g + at, load<f64>(g + at) + si * d)
      store<f64>(h + at, load<f64>(h + at) + vi * d)
    }
    for (; at < stride; at += 8) {
      store<f64>(z + at, 0)
      store<f64>(vz + at, 0)
    }
    x += width
    z += stride
    vz += stride
  }
}

/** Adds sum_i a_i b_i' for four columns a and four columns b to the tile at G. */
function tile(n: i32, a: usize, b: usize, stride: usize, G: usize): void {
  let t00 = splat(0), t01 = splat(0), t10 = splat(0), t11 = splat(0)
  let t20 = splat(0), t21 = splat(0), t30 = splat(0), t31 = splat(0)
  for (let i = 0; i < n; i++) {
    const b0 = v128.load(b)
    const b1 = v128.load(b, 16)
    const a0 = v128.load_splat<f64>(a)
    t00 = accumulate(t00, a0, b0)
    t01 = accumulate(t01, a0, b1)
    const a1 = v128.load_splat<f64>(a, 8)
    t10 = accumulate(t10, a1, b0)
    t11 = accumulate(t11, a1, b1)
    const a2 = v128.load_splat<f64>(a, 16)
    t20 = accumulate(t20, a2, b0)
    t21 = accumulate(t21, a2, b1)
    const a3 = v128.load_splat<f64>(a, 24)
    t30 = accumulate(t30, a3, b0)
    t31 = accumulate(t31, a3, b1)
    a += stride
    b += stride
  }
  addRow(G, t00, t01)
  addRow(G + stride, t10, t11)
  addRow(G + 2 * stride, t20, t21)
  addRow(G + 3 * stride, t30, t31)
}

// @ts-ignore: decorator
@inline
function addRow(at: usize, left: v128, right: v128): void {
  v128.store(at, f64x2.add(v128.load(at), left))
  v128.store(at, f64x2.add(v128.load(at, 16), right), 16)
}

/** Rows whose norms are taken together: four pairs, whose sums do not wait for each other. */
const TOGETHER: i32 = 8

/**
 * params: the centre c, then the d x d lower triangle R. out_i = |R (x_i - c)|^2. Scratch: eight centred rows, column by
 * column.
 */
export function norms(
  n: i32, cols: i32, x: usize, out: usize, c: usize, params: usize, sums: usize, scratch: usize,
): void {
  const width = <usize>cols << 3
  const triangle = params + width
  for (let i = 0; i < n; i += TOGETHER) {
    for (let r = 0; r < TOGETHER; r++) {
      // Past the end the last row once more.
      const row = x + <usize>min(i + r, n - 1) * width
      for (let at: usize = 0; at < width; at += 8)
        store<f64>(scratch + (at << 3) + (<usize>r << 3), load<f64>(row + at) - load<f64>(params + at))
    }
    let q0 = splat(0), q1 = splat(0), q2 = splat(0), q3 = splat(0)
    for (let j = 0; j < cols; j++) {
      const from = triangle + <usize>j * width
      let s0 = splat(0), s1 = splat(0), s2 = splat(0), s3 = splat(0)
      for (let k: usize = 0; k <= <usize>j; k++) {
        const w = v128.load_splat<f64>(from + (k << 3))
        const z = scratch + (k << 6)
        s0 = accumulate(s0, w, v128.load(z))
        s1 = accumulate(s1, w, v128.load(z, 16))
        s2 = accumulate(s2, w, v128.load(z, 32))
        s3 = accumulate(s3, w, v128.load(z, 48))
      }
      q0 = accumulate(q0, s0, s0)
      q1 = accumulate(q1, s1, s1)
      q2 = accumulate(q2, s2, s2)
      q3 = accumulate(q3, s3, s3)
    }
    // Two rows at a time; a row past the end has room in the spare ones.
    const to = out + (<usize>i << 3)
    v128.store(to, q0)
    if (i + 2 < n) v128.store(to, q1, 16)
    if (i + 4 < n) v128.store(to, q2, 32)
    if (i + 6 < n) v128.store(to, q3, 48)
  }
}
