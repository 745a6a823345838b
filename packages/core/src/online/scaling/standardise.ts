import { scratch } from '../../kernels/scratch.js'
import { type Matrix, matrix } from '../../matrix.js'

/** Means and scales of columns, to be changed in place. */
export interface Scales {
  rows: number
  readonly means: Float64Array
  readonly scales: Float64Array
}

/** A value farther out than so many scales counts as that far: for the model and for the running scales. */
const CLIP = 8
/** Rows that running scales stand for at most, so that a stream of years still follows its columns. */
const MEMORY = 50_000
/** Beyond this a square would overflow. */
const HUGE = 1e100

/**
 * z = (x - mean) / scale, into `out`, no farther out than the clip; the scales of x's columns begin at `column`. With
 * `next`, the rows are taken into those scales on the way: Welford's sums, in units of the scales before, so that with
 * the clip one wild value cannot blow up a column.
 */
export function standardise(x: Matrix, by: Scales, out: Float64Array, next?: Scales, column = 0): Matrix {
  const { rows, cols, values } = x
  const end = rows * cols
  const before = Math.min(by.rows, MEMORY)
  // By columns: sums and scale stay in registers, which is worth more than walking through memory in order.
  for (let j = 0; j < cols; j++) {
    const k = column + j
    const mean = by.means[k]
    const per = 1 / by.scales[k]
    if (by.scales[k] === 0) {
      for (let at = j; at < end; at += cols) out[at] = 0
      if (next !== undefined) firstScale(x, j, next, k, before)
      continue
    }
    let sum = 0
    let squares = 0
    for (let at = j; at < end; at += cols) {
      let z = (values[at] - mean) * per
      if (z > CLIP) z = CLIP
      else if (z < -CLIP) z = -CLIP
      out[at] = z
      sum += z
      squares += z * z
    }
    if (next !== undefined) blend(next, k, before, rows, sum / rows, squares)
  }
  return matrix(rows, cols, out)
}

/** A response without the clip, whose distance is what tells a bad one; but not so far that a square would overflow. */
export function standardiseResponse(y: Float64Array, by: Scales, column: number, out: Float64Array): void {
  const scale = by.scales[column]
  for (let i = 0; i < y.length; i++) {
    out[i] = scale === 0 ? 0 : Math.max(-HUGE, Math.min(HUGE, (y[i] - by.means[column]) / scale))
  }
}

/** Merges `rows` values, of the given mean and sum of squares in units of the scale, into the `before` ones. */
function blend(to: Scales, k: number, before: number, rows: number, mean: number, squares: number): void {
  const all = before + rows
  const spread = Math.max(0, squares - rows * mean * mean)
  const scale = to.scales[k]
  to.means[k] += (scale * mean * rows) / all
  to.scales[k] = scale * Math.sqrt((before + spread + (mean * mean * before * rows) / all) / all)
}

/** The same as the paper's experiment has it: a true division, no limit, to the last digit. */
export function standardiseExactly(x: Matrix, by: Scales, out: Float64Array): Matrix {
  const { rows, cols, values } = x
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at++) out[at] = (values[at] - by.means[j]) / by.scales[j]
  }
  return matrix(rows, cols, out)
}

/** Population means and scales of the batch's column, a constant column with scale 1: as in the paper's experiment. */
export function batchScales(x: Matrix, to: Scales): void {
  to.rows = x.rows
  for (let j = 0; j < x.cols; j++) {
    let sum = 0
    for (let i = 0; i < x.rows; i++) sum += x.values[i * x.cols + j]
    const mean = sum / x.rows
    let squares = 0
    for (let i = 0; i < x.rows; i++) squares += (x.values[i * x.cols + j] - mean) ** 2
    to.means[j] = mean
    to.scales[j] = Math.sqrt(squares / x.rows) || 1
  }
}

/**
 * Scales of a stream's first rows: median and median deviation, which wild values cannot blow up.
 */
export function firstScales(x: Matrix, to: Scales, column = 0): void {
  for (let j = 0; j < x.cols; j++) firstScale(x, j, to, column + j, 0)
}

const orderVector = scratch()

/** A column that has had one value so far, or none. */
function firstScale(x: Matrix, j: number, to: Scales, k: number, before: number): void {
  const order = orderVector(x.rows)
  for (let i = 0; i < x.rows; i++) order[i] = x.values[i * x.cols + j]
  const mean = median(order)
  for (let i = 0; i < x.rows; i++) order[i] = Math.abs(x.values[i * x.cols + j] - mean)
  let scale = 1.4826 * median(order)
  // Half of the values are the same: a switch, or a count of rare things. The mean deviation sees it.
  if (scale === 0) scale = order.reduce((sum, gap) => sum + gap, 0) / x.rows
  if (before === 0) {
    to.means[k] = mean
    to.scales[k] = finite(scale)
    return
  }
  // The rows before all had the value to.means[k].
  const gap = mean - to.means[k]
  const all = before + x.rows
  to.means[k] += (gap * x.rows) / all
  const share = x.rows / all
  to.scales[k] = finite(Math.sqrt(share * scale ** 2 + share * (1 - share) * gap ** 2))
}

/** Sorts `values`, and gives the middle one. */
function median(values: Float64Array): number {
  values.sort()
  const half = values.length >> 1
  return values.length % 2 === 1 ? values[half] : values[half - 1] / 2 + values[half] / 2
}

/** A scale that can be divided by and squared. */
function finite(scale: number): number {
  return scale > HUGE ? HUGE : scale < 1 / HUGE ? 0 : scale
}
