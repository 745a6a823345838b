import type { Matrix } from '../matrix.js'
import * as plain from './plain-gram.js'
import { run, worthwhile } from './run.js'
import type { RowArray } from './task.js'

/** The passes over the rows of a matrix: plain loops for small ones, SIMD on all cores for large ones. */

const rowsOf = (x: Matrix): RowArray => ({ values: x.values, cols: x.cols, use: 'read' })
const read = (values: Float64Array): RowArray => ({ values, cols: 1, use: 'read' })

/** out_i = intercept + x_i . coefficients */
export function linearPredictor(
  x: Matrix,
  intercept: number,
  coefficients: Float64Array,
  out: Float64Array,
): void {
  if (!worthwhile(x.values.length)) {
    plain.linearPredictor(x, intercept, coefficients, out)
    return
  }
  run(
    'predictor',
    x.rows,
    [rowsOf(x), { values: out, cols: 1, use: 'write' }],
    [intercept, ...coefficients],
    0,
  )
}

/** x_ij = (x_ij - c_j) per_j */
export function rescale(x: Matrix, centre: Float64Array, per: Float64Array): void {
  if (!worthwhile(x.values.length)) {
    plain.rescale(x, centre, per)
    return
  }
  run('rescale', x.rows, [{ ...rowsOf(x), use: 'update' }], [...centre, ...per], 0)
}

/** sum_i v_i x_i into `sums`, and sum_i v_i returned. */
export function columnSums(x: Matrix, v: Float64Array, sums: Float64Array): number {
  if (!worthwhile(x.values.length)) return plain.columnSums(x, v, sums)
  const all = run('columnSums', x.rows, [rowsOf(x), read(v)], [], x.cols + 1)
  sums.set(all.subarray(0, x.cols))
  return all[x.cols]
}

/** The lower triangle of sum_i v_i (x_i - c)(x_i - c)' into G, sum_i s_i (x_i - c) into g, and sum_i v_i (x_i - c) into h. */
export function gram(
  x: Matrix,
  centre: Float64Array,
  v: Float64Array,
  s: Float64Array,
  G: Float64Array,
  g: Float64Array,
  h?: Float64Array,
): void {
  if (!worthwhile(x.values.length)) {
    plain.gram(x, centre, v, s, G, g, h)
    return
  }
  const { rows, cols } = x
  // The kernel pads the columns to a multiple of four; its scratch holds a strip of rows twice.
  const padded = (cols + 3) & ~3
  const strip = Math.max(8, Math.floor(1280 / padded))
  const sums = 2 * padded + padded * padded
  const all = run('gram', rows, [rowsOf(x), read(v), read(s)], centre, sums, 2 * strip * padded)
  g.set(all.subarray(0, cols))
  h?.set(all.subarray(padded, padded + cols))
  G.fill(0)
  for (let j = 0; j < cols; j++) {
    const from = (2 + j) * padded
    G.set(all.subarray(from, from + j + 1), j * cols)
  }
}

/** out_i = |R (x_i - c)|^2 with the lower triangle R. */
export function norms(x: Matrix, centre: Float64Array, R: Float64Array, out: Float64Array): void {
  if (!worthwhile(x.values.length)) {
    plain.norms(x, centre, R, out)
    return
  }
  const params = new Float64Array(x.cols + R.length)
  params.set(centre)
  params.set(R, x.cols)
  run('norms', x.rows, [rowsOf(x), { values: out, cols: 1, use: 'write' }], params, 0, 8 * x.cols)
}
