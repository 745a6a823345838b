import { linear, type Matrix, matrix, ofQuartiles } from 'rlvi'
import { type Moments, sufficientRows } from 'rlvi/passes'
import type { ModelName } from '../fit/methods.js'
import { supervisedModels } from '../fit/methods.js'
import { isFar, middleIfFar, type ResponseUnits, type Units, unchanged } from '../fit/units.js'

/** Weight, mean and spread of each column by its sums, in the columns' own units. */
export interface Spreads {
  readonly mean: Float64Array
  readonly sd: Float64Array
}

/** Below it, of a column's size, a spread is nothing but rounding. */
const ROUNDING = 1e-12

export function spreads({ weight, sums, squares }: Moments, centre: ArrayLike<number>): Spreads {
  const d = squares.cols
  const mean = sums.map((sum, j) => (centre[j] ?? 0) + sum / weight)
  const sd = sums.map((sum, j) => {
    const about = Math.sqrt(Math.max(0, squares.values[j * d + j]! / weight - (sum / weight) ** 2))
    return about > ROUNDING * Math.abs(mean[j]!) ? about : 0
  })
  return { mean, sd }
}

/**
 * The units that `standardise` finds, from sums over all rows, and where a few rows are far out from the quartiles of all, or, where
 * these are not asked for, from some rows.
 */
export function unitsOf(
  moments: Moments,
  centre: Float64Array,
  isNumber: readonly boolean[],
  intercept: boolean,
  some: Matrix,
  quartiles?: readonly Float64Array[],
): Units {
  const { mean, sd } = spreads(moments, centre)
  const units = unchanged(isNumber.length)
  const middleOf = (j: number): ResponseUnits | undefined => {
    if (quartiles === undefined) return middleIfFar(some, j, sd[j]!)
    const found = ofQuartiles(quartiles[j]!)
    return isFar(sd[j]!, found.scale) ? found : undefined
  }
  isNumber.forEach((is, j) => {
    if (!is) return
    const far = intercept ? middleOf(j) : undefined
    units.centre[j] = far?.centre ?? (intercept ? mean[j]! : 0)
    units.scale[j] = far?.scale ?? ((intercept ? sd[j]! : Math.hypot(mean[j]!, sd[j]!)) || 1)
  })
  return units
}

/** The same of the response, which is the last column, less `from`. */
export function responseUnitsOf(
  moments: Moments,
  from: number,
  intercept: boolean,
  some: Float64Array,
): ResponseUnits {
  const j = moments.squares.cols - 1
  const { mean, sd } = spreads(moments, new Float64Array(j + 1).fill(from))
  const far = intercept ? middleIfFar(matrix(some.length, 1, some), 0, sd[j]!) : undefined
  return (
    far ?? {
      centre: intercept ? mean[j]! : 0,
      scale: (intercept ? sd[j]! : Math.hypot(mean[j]!, sd[j]!)) || 1,
    }
  )
}

/** The columns that all rows show to depend on those before them, where the model could not tell them apart. */
export function dependentColumns(
  moments: Moments,
  centre: Float64Array,
  model: ModelName,
  intercept: boolean,
): readonly number[] {
  const cols = centre.length
  const x = columnsOf(sufficientRows(moments, centre).rows, cols)
  if (model === 'covariance') return copies(x)
  if (!supervisedModels.includes(model) || cols < 2) return []
  const { problem } = linear({ intercept }).fit({ x, y: new Float64Array(x.rows) })
  return problem?.reason === 'collinear' ? (problem.columns ?? []) : []
}

function columnsOf(all: Matrix, cols: number): Matrix {
  const x = matrix(all.rows, cols)
  for (let i = 0; i < all.rows; i++)
    x.values.set(all.values.subarray(i * all.cols, i * all.cols + cols), i * cols)
  return x
}

/** Columns with the values of an earlier one up to units: correlation 1 or -1. */
function copies({ rows, cols, values }: Matrix): number[] {
  const scaled = Array.from({ length: cols }, (_, j) => {
    const own = Float64Array.from({ length: rows }, (_, i) => values[i * cols + j]!)
    const mean = own.reduce((sum, value) => sum + value, 0) / rows
    const size = Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0))
    return own.map((value) => (value - mean) / size)
  })
  return scaled.flatMap((own, j) => {
    const twin = scaled
      .slice(0, j)
      .some(
        (other) => Math.abs(Math.abs(own.reduce((sum, value, i) => sum + value * other[i]!, 0)) - 1) < 1e-9,
      )
    return twin ? [j] : []
  })
}
