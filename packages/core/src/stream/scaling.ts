import { scratch } from '../kernels/scratch.js'
import { type Matrix, matrix } from '../matrix.js'

/** Means and scales of columns, to be changed in place. */
export interface Scales {
  rows: number
  readonly means: Float64Array
  readonly scales: Float64Array
}

/** A value farther out than so many scales counts as that far: for the model and for the running scales. */
export const CLIP = 8
/** Rows that running scales stand for at most, so that a stream of years still follows its columns. */
const MEMORY = 50_000
/** Beyond this a square would overflow. */
export const HUGE = 1e100

const factorVector = scratch()
const meanVector = scratch()

/** z = (x - mean) / scale, into `out`, no farther out than `limit`; the scales of x's columns begin at `column`. */
export function standardise(x: Matrix, by: Scales, limit: number, out: Float64Array, column = 0): Matrix {
  const { rows, cols, values } = x
  const per = factorVector(cols)
  const means = meanVector(cols)
  for (let j = 0; j < cols; j++) {
    const scale = by.scales[column + j]
    per[j] = scale === 0 ? 0 : 1 / scale
    means[j] = by.means[column + j]
  }
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at++) {
      const z = (values[at] - means[j]) * per[j]
      out[at] = z > limit ? limit : z < -limit ? -limit : z
    }
  }
  return matrix(rows, cols, out)
}

/** The same as the paper's experiment has it: a true division, no limit, to the last digit. */
export function standardiseExactly(x: Matrix, by: Scales, out: Float64Array, column = 0): Matrix {
  const { rows, cols, values } = x
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = column; j < column + cols; j++, at++) out[at] = (values[at] - by.means[j]) / by.scales[j]
  }
  return matrix(rows, cols, out)
}

/** Population means and scales of the batch's column, a constant column with scale 1: as in the paper's experiment. */
export function batchScales(x: Matrix, to: Scales, column = 0): void {
  to.rows = x.rows
  for (let j = 0; j < x.cols; j++) {
    let sum = 0
    for (let i = 0; i < x.rows; i++) sum += x.values[i * x.cols + j]
    const mean = sum / x.rows
    let squares = 0
    for (let i = 0; i < x.rows; i++) squares += (x.values[i * x.cols + j] - mean) ** 2
    to.means[column + j] = mean
    to.scales[column + j] = Math.sqrt(squares / x.rows) || 1
  }
}

/**
 * Takes the batch into the running scales. Welford's sums, in units of the scales before, with values beyond the clip
 * counted as at the clip: one wild value cannot blow up a column. A column's first rows have median and median
 * deviation as mean and scale, for the same reason.
 */
export function learnScales(x: Matrix, z: Matrix, to: Scales, column = 0): void {
  const { rows, cols } = x
  if (rows === 0) return
  const sums = sumVector(2 * cols).fill(0)
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at++) {
      const far = z.values[at]
      const value = far > CLIP ? CLIP : far < -CLIP ? -CLIP : far
      sums[j] += value
      sums[cols + j] += value * value
    }
  }
  const before = Math.min(to.rows, MEMORY)
  for (let j = 0; j < cols; j++) {
    const k = column + j
    const scale = to.scales[k]
    if (scale === 0) {
      firstScale(x, j, to, k, before)
      continue
    }
    const mean = sums[j] / rows
    const spread = sums[cols + j] - rows * mean * mean
    const all = before + rows
    to.means[k] += (scale * mean * rows) / all
    to.scales[k] =
      scale * Math.sqrt((before + Math.max(0, spread) + (mean * mean * before * rows) / all) / all)
  }
}

const sumVector = scratch()
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
