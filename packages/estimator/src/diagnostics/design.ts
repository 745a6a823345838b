import { linear, type Matrix, phrase, RlviError, show } from 'rlvi'
import type { DesignColumn } from '../encoding/encoding.js'
import { type MethodName, type ModelName, supervisedModels } from '../fit/methods.js'
import { type ResponseUnits, spread, spreads, type Units } from '../fit/units.js'
import { leaveOut, type Words } from '../words.js'

/** What can be known to be hopeless before the fit, said by the names of columns. */
export function checkDesign(
  x: Matrix,
  columns: readonly DesignColumn[],
  model: ModelName,
  intercept: boolean,
  words: Words,
): void {
  const supervised = supervisedModels.includes(model)
  const needed = supervised
    ? x.cols + (intercept ? 1 : 0)
    : { mean: 1, covariance: x.cols + 1, pca: 2 }[model as 'pca']
  if (x.rows < needed) {
    const rule = `at least ${needed} complete rows are needed for ${x.cols} columns`
    throw new RlviError(words.source, rule, x.rows, fewerColumns(words))
  }
  if (model === 'mean' || model === 'pca') return
  for (const [j, { mean, sd }] of spreads(x).entries()) {
    // Without an intercept a constant column is one. Other constants have been left out, but a column may vary by
    // so little that its variance is none.
    if (sd > 0 || (supervised && !intercept && mean !== 0)) continue
    throw constant(x, j, columns[j]!, words)
  }
}

/** From this size on the square of a number is none, which covariances are made of. */
const LARGEST = 1e150

/** Numbers whose squares overflow, in columns that keep their units. */
export function checkSizes(
  x: Matrix,
  columns: readonly DesignColumn[],
  rows: Int32Array,
  words: Words,
): void {
  const at = x.values.findIndex((value) => Math.abs(value) >= LARGEST)
  if (at < 0) return
  const where = `${words.row(rows[Math.floor(at / x.cols)]!)}, column ${show(columns[at % x.cols]!.name)}`
  const todo = `rescale the column, or fix the value; ${words.rowsCount}`
  throw new RlviError(where, `a number below ${LARGEST} in size is needed`, x.values[at], todo)
}

/** A coefficient is in units of the target for each unit of its column: where those are too far apart, it is no number. */
export function checkUnits({ scale }: Units, answer: ResponseUnits, names: readonly string[]): void {
  const j = scale.findIndex((own) => !(answer.scale / own < MOST_APART))
  if (j < 0) return
  const rule = 'numbers of a size that is not too far from that of the target are needed'
  const got = phrase(`a spread of ${scale[j]} beside one of ${answer.scale}`)
  throw new RlviError(`column ${show(names[j])}`, rule, got, 'rescale the column')
}

/** With room for coefficients, errors and their sums. */
const MOST_APART = 1e290

/** Components that span all columns leave no distance by which a row could be recognised as bad. */
export function checkComponents(components: number, columns: number, method: MethodName, words: Words): void {
  const where = words.option('components')
  if (components > columns)
    throw new RlviError(where, `at most one for each of ${columns} columns`, components)
  if (components < columns || method !== 'calibrated') return
  const todo = `with as many as columns, no row is off; or use ${words.option('method', 'ml')}`
  throw new RlviError(where, `fewer than the ${columns} columns are needed`, components, todo)
}

function constant(x: Matrix, j: number, { name, source }: DesignColumn, words: Words): RlviError {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = j; at < x.values.length; at += x.cols) {
    least = Math.min(least, x.values[at]!)
    most = Math.max(most, x.values[at]!)
  }
  const rule = 'a feature must vary by more than rounding'
  return new RlviError(`column ${show(name)}`, rule, phrase(`${least} to ${most}`), leaveOut(words, source))
}

/**
 * Columns that repeat others. The linear fit finds them by itself; elsewhere the ridge penalty would hide them, and
 * split a coefficient between twins.
 */
export function checkIndependent(
  x: Matrix,
  columns: readonly DesignColumn[],
  intercept: boolean,
  words: Words,
): void {
  const { problem } = linear({ intercept }).fit({ x, y: new Float64Array(x.rows) })
  if (problem?.reason !== 'collinear') return
  throw dependent(x, columns, problem.columns ?? [], 'the other columns', words)
}

export function fewerColumns(words: Words): string {
  return `give more rows, or fewer columns by ${words.option('features')}`
}

/** The error for columns (`which`) that the others determine. */
export function dependent(
  x: Matrix,
  columns: readonly DesignColumn[],
  which: readonly number[],
  on: string,
  words: Words,
): RlviError {
  const [first = 0] = which
  const names = which.map((j) => columns[j]!)
  const where = `column${names.length > 1 ? 's' : ''} ${names.map((column) => show(column.name)).join(', ')}`
  const twin = twinOf(x, first)
  const got =
    twin === undefined
      ? `a combination of ${on}`
      : `a copy of ${show(columns[twin]!.name)}, or of it in other units`
  const sources = [...new Set(names.map((column) => column.source))]
  const rule = 'must say something that the other columns do not'
  return new RlviError(where, rule, phrase(got), leaveOut(words, ...sources))
}

/** An earlier column with the same values up to units: correlation 1 or -1. */
export function twinOf(x: Matrix, j: number): number | undefined {
  const own = spread(x, j)
  for (let k = 0; k < j; k++) {
    const other = spread(x, k)
    let product = 0
    for (let i = 0; i < x.rows; i++) {
      const a = (x.values[i * x.cols + j]! - own.mean) / own.sd
      const b = (x.values[i * x.cols + k]! - other.mean) / other.sd
      product += (a * b) / x.rows
    }
    if (Math.abs(Math.abs(product) - 1) < 1e-9) return k
  }
  return undefined
}
