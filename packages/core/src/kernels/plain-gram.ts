import type { Matrix } from '../matrix.js'

/** The loops over the rows of a matrix, plainly: the oracle of the SIMD kernels, and what small matrices run. */

/** out_i = intercept + x_i . coefficients */
export function linearPredictor(
  x: Matrix,
  intercept: number,
  coefficients: Float64Array,
  out: Float64Array,
): void {
  const { rows, cols, values } = x
  for (let i = 0, at = 0; i < rows; i++) {
    let sum = intercept
    for (let j = 0; j < cols; j++, at++) sum += values[at] * coefficients[j]
    out[i] = sum
  }
}

/** x_ij = (x_ij - c_j) per_j */
export function rescale({ rows, cols, values }: Matrix, centre: Float64Array, per: Float64Array): void {
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) values[at] = (values[at] - centre[j]) * per[j]
}

/** sum_i v_i x_i into `sums`, and sum_i v_i returned. */
export function columnSums(x: Matrix, v: Float64Array, sums: Float64Array): number {
  const { rows, cols, values } = x
  sums.fill(0)
  let total = 0
  for (let i = 0, at = 0; i < rows; i++) {
    const w = v[i]
    total += w
    for (let j = 0; j < cols; j++, at++) sums[j] += w * values[at]
  }
  return total
}

/** Four centred rows, entry by entry. The engine turns a constant of the module into an address, a variable it reloads. */
const WIDEST = 256
const four = new Float64Array(4 * WIDEST)

/**
 * The lower triangle of sum_i v_i (x_i - c)(x_i - c)' into G, sum_i s_i (x_i - c) into g, and sum_i v_i (x_i - c) into h, if
 * wanted. Four rows at a time: one row alone would spend most of its time on loading and storing G, and small fits spend
 * most of theirs here.
 */
export function gram(
  x: Matrix,
  centre: Float64Array,
  v: Float64Array,
  s: Float64Array,
  G: Float64Array,
  g: Float64Array,
  h?: Float64Array,
): void {
  const { rows, cols, values } = x
  G.fill(0)
  g.fill(0)
  if (h !== undefined) centredSums(x, centre, v, h)
  let i = 0
  if (cols <= WIDEST) for (; i + 3 < rows; i += 4) fourRows(i, x, centre, v, s, G, g)
  for (; i < rows; i++) {
    const first = i * cols
    for (let j = 0; j < cols; j++) {
      const z = values[first + j] - centre[j]
      g[j] += s[i] * z
      const vz = v[i] * z
      for (let k = 0, to = j * cols; k <= j; k++, to++) G[to] += vz * (values[first + k] - centre[k])
    }
  }
}

function centredSums(
  { rows, cols, values }: Matrix,
  centre: Float64Array,
  v: Float64Array,
  h: Float64Array,
): void {
  h.fill(0)
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) h[j] += v[i] * (values[at] - centre[j])
}

function fourRows(
  i: number,
  x: Matrix,
  centre: Float64Array,
  v: Float64Array,
  s: Float64Array,
  G: Float64Array,
  g: Float64Array,
): void {
  const { cols, values } = x
  const v0 = v[i]
  const v1 = v[i + 1]
  const v2 = v[i + 2]
  const v3 = v[i + 3]
  for (let j = 0, at = i * cols, z = 0; j < cols; j++, at++, z += 4) {
    const c = centre[j]
    const z0 = values[at] - c
    const z1 = values[at + cols] - c
    const z2 = values[at + 2 * cols] - c
    const z3 = values[at + 3 * cols] - c
    four[z] = z0
    four[z + 1] = z1
    four[z + 2] = z2
    four[z + 3] = z3
    g[j] += s[i] * z0 + s[i + 1] * z1 + s[i + 2] * z2 + s[i + 3] * z3
    const w0 = v0 * z0
    const w1 = v1 * z1
    const w2 = v2 * z2
    const w3 = v3 * z3
    for (let k = 0, to = j * cols; k <= z; k += 4, to++) {
      G[to] += w0 * four[k] + w1 * four[k + 1] + w2 * four[k + 2] + w3 * four[k + 3]
    }
  }
}

/** Rows whose norms are computed together: their sums do not wait for each other. */
const TOGETHER = 4

/** out_i = |R (x_i - c)|^2 with the lower triangle R. */
export function norms(
  { rows, cols: d, values }: Matrix,
  centre: Float64Array,
  R: Float64Array,
  out: Float64Array,
): void {
  const z = new Float64Array(TOGETHER * d)
  for (let from = 0; from < rows; from += TOGETHER) {
    const count = Math.min(TOGETHER, rows - from)
    for (let r = 0; r < count; r++)
      for (let j = 0; j < d; j++) z[TOGETHER * j + r] = values[(from + r) * d + j] - centre[j]
    // One variable each: an array of them, even one that is taken apart at once, takes half as long again.
    let q0 = 0
    let q1 = 0
    let q2 = 0
    let q3 = 0
    for (let j = 0; j < d; j++) {
      let s0 = 0
      let s1 = 0
      let s2 = 0
      let s3 = 0
      for (let k = 0, at = 0; k <= j; k++, at += TOGETHER) {
        const w = R[j * d + k]
        s0 += w * z[at]
        s1 += w * z[at + 1]
        s2 += w * z[at + 2]
        s3 += w * z[at + 3]
      }
      q0 += s0 * s0
      q1 += s1 * s1
      q2 += s2 * s2
      q3 += s3 * s3
    }
    out[from] = q0
    if (count > 1) out[from + 1] = q1
    if (count > 2) out[from + 2] = q2
    if (count > 3) out[from + 3] = q3
  }
}
