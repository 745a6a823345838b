import { linear, type Matrix, matrix, takeRows } from 'rlvi'
import type { TableFit } from '../fit/table-fit.js'
import { someRows } from './some-rows.js'

/** The feature of a row that is least like those of the good rows. */
export interface StandOut {
  /** `column`, or `column=category`. */
  readonly feature: string
  /** How far off it is, in standard deviations of the good rows, and to which side. */
  readonly by: number
  /** Whether it is off beside the row's other features, or by itself. */
  readonly given: 'others' | 'alone'
}

/** Rows that say how the good ones scatter; more would not say it better. */
const MOST_ROWS = 4000
/** Beyond so many columns each is judged by itself: one fit for each would take long. */
const MOST_COLUMNS = 30

/**
 * Says of single rows which feature stands out. Of a cloud of rows (`covariance`, `pca`) it is the one that disagrees most
 * with the row's other features; of all other models the one that lies farthest from the good rows' mean.
 *
 * @example
 * const of = standOut(fit)
 * of(3) // { feature: 'age', by: 6.2, given: 'alone' }
 */
export function standOut(fit: TableFit): (i: number) => StandOut | undefined {
  const { x, names } = fit.design
  const { model } = fit.model.fitted
  const rows = someRows(MOST_ROWS, x)
  const weights = Float64Array.from(rows, (i) => fit.clean[i]!)
  const part = takeRows(x, rows)
  const beside = (model === 'covariance' || model === 'pca') && x.cols > 1 && x.cols <= MOST_COLUMNS
  const offs = names.map((_, j) => (beside ? fromOthers(part, weights, j) : fromMean(part, weights, j)))
  return (i) => {
    const row = x.values.subarray(i * x.cols, (i + 1) * x.cols)
    let best: StandOut | undefined
    offs.forEach((off, j) => {
      const by = off(row)
      if (Number.isFinite(by) && Math.abs(by) > Math.abs(best?.by ?? 0))
        best = { feature: names[j]!, by, given: beside ? 'others' : 'alone' }
    })
    return best
  }
}

type Off = (row: Float64Array) => number

function fromMean(x: Matrix, weights: Float64Array, j: number): Off {
  let [sum, total, squares] = [0, 0, 0]
  for (let i = 0; i < x.rows; i++) {
    sum += weights[i]! * x.values[i * x.cols + j]!
    total += weights[i]!
  }
  const centre = sum / total
  for (let i = 0; i < x.rows; i++) squares += weights[i]! * (x.values[i * x.cols + j]! - centre) ** 2
  const sd = Math.sqrt(squares / total)
  return (row) => (row[j]! - centre) / sd
}

/** By a regression of the feature on the others. */
function fromOthers(x: Matrix, weights: Float64Array, j: number): Off {
  const others = matrix(x.rows, x.cols - 1)
  const y = new Float64Array(x.rows)
  for (let i = 0; i < x.rows; i++) {
    const row = x.values.subarray(i * x.cols, (i + 1) * x.cols)
    y[i] = row[j]!
    others.values.set(row.subarray(0, j), i * others.cols)
    others.values.set(row.subarray(j + 1), i * others.cols + j)
  }
  const { intercept, coefficients, scale, problem } = linear().fit({ x: others, y }, weights)
  // A feature that others determine cannot disagree with them more than they do with it.
  if (problem !== undefined) return () => Number.NaN
  return (row) => {
    let predicted = intercept
    for (let k = 0; k < coefficients.length; k++) predicted += coefficients[k]! * row[k < j ? k : k + 1]!
    return (row[j]! - predicted) / scale
  }
}
