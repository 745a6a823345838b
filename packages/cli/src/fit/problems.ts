import { linear, type Matrix, phrase, RlviError, type Status, show } from 'rlvi'
import type { DesignColumn } from '../encoding.js'
import { exclusion } from './columns.js'
import { type MethodName, type ModelName, supervisedModels } from './methods.js'
import { spread } from './units.js'

/** What can be known to be hopeless before the fit, said by the names of columns. */
export function checkDesign(
  path: string,
  x: Matrix,
  columns: readonly DesignColumn[],
  model: ModelName,
  intercept: boolean,
): void {
  const supervised = supervisedModels.includes(model)
  const needed = supervised
    ? x.cols + (intercept ? 1 : 0)
    : { mean: 1, covariance: x.cols + 1, pca: 2 }[model as 'pca']
  if (x.rows < needed) {
    const rule = `at least ${needed} complete rows are needed for ${x.cols} columns`
    throw new RlviError(path, rule, x.rows, 'give more rows, or fewer columns by --features')
  }
  if (model === 'mean' || model === 'pca') return
  for (let j = 0; j < x.cols; j++) {
    const { mean, sd } = spread(x, j)
    // Without an intercept a constant column is one.
    if (sd > 0 || (supervised && !intercept && mean !== 0)) continue
    throw constant(columns[j]!, x.values[j]!)
  }
}

/** Components that span all columns leave no distance by which a row could be told to be bad. */
export function checkComponents(components: number, columns: number, method: MethodName): void {
  if (components > columns) {
    throw new RlviError('--components', `at most one for each of ${columns} columns`, components)
  }
  if (components < columns || method !== 'calibrated') return
  const todo = 'with as many as columns, no row is off; or use --method ml'
  throw new RlviError('--components', `fewer than the ${columns} columns are needed`, components, todo)
}

export function constant(column: DesignColumn, value: unknown): RlviError {
  const got = phrase(`${show(value)} in every row`)
  return new RlviError(`column ${show(column.name)}`, 'a feature must vary', got, exclusion(column.source))
}

/**
 * Columns that repeat others. The linear fit finds them by itself; elsewhere the ridge penalty would hide them, and
 * split a coefficient between twins.
 */
export function checkIndependent(x: Matrix, columns: readonly DesignColumn[], intercept: boolean): void {
  const { problem } = linear({ intercept }).fit({ x, y: new Float64Array(x.rows) })
  if (problem?.reason === 'collinear') throw dependent(x, columns, problem.columns ?? [], 'the other columns')
}

/** Throws where a fit is not worth showing; otherwise a remark, where there is one to make. */
export function judge(status: Status, x: Matrix, columns: readonly DesignColumn[]): string | undefined {
  if (status.kind === 'converged') return undefined
  if (status.kind === 'max-iterations') return `max-iterations: ${status.message}`
  switch (status.reason) {
    case 'collinear':
    case 'singular':
      throw dependent(x, columns, status.columns ?? [], 'the other columns, in the rows that the fit trusts')
    case 'few-rows':
      throw new RlviError('rows', status.message, x.rows, 'give more rows, or fewer columns by --features')
    case 'one-class':
      throw new RlviError('target', 'at least two classes are needed in the rows that the fit trusts', 1)
    case 'not-finite': {
      const todo = 'look for values that are far too large, or use --method ml to see the plain fit'
      throw new RlviError('fit', status.message, 'no result', todo)
    }
    default:
      return `${status.reason}: ${statusMessage(status)}`
  }
}

/** The library's advice is for those who write the model; who runs the command has no penalty to choose. */
export function statusMessage(status: Exclude<Status, { kind: 'converged' }>): string {
  if (status.kind !== 'degenerate' || status.reason !== 'separable') return status.message
  return 'the features explain the rows that the fit trusts perfectly; do not read much into the size of the coefficients'
}

/** A caution where the weights leave fewer rows than columns: such a fit only repeats the rows that it rests on. */
export function thinSupport(
  clean: Float64Array,
  columns: number,
  model: ModelName,
  method: MethodName,
): string | undefined {
  if (model === 'mean') return undefined
  let sum = 0
  let squares = 0
  for (const weight of clean) {
    sum += weight
    squares += weight * weight
  }
  const rows = (sum * sum) / squares
  if (rows > columns + 1 || rows > 0.999 * clean.length) return undefined
  const todo =
    model === 'pca' && method !== 'calibrated'
      ? 'its weights depend on units: give the columns a spread of about 1'
      : 'compare --method ml'
  return `caution: the fit rests on about ${rows.toPrecision(2)} of ${clean.length} rows, too few for ${columns} column${columns === 1 ? '' : 's'}; ${todo}`
}

function dependent(
  x: Matrix,
  columns: readonly DesignColumn[],
  which: readonly number[],
  on: string,
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
  return new RlviError(where, rule, phrase(got), exclusion(sources.join(',')))
}

/** An earlier column with the same values up to units: correlation 1 or -1. */
function twinOf(x: Matrix, j: number): number | undefined {
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
