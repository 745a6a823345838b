import type { Column, Read } from '@rlvi/tables'
import { RlviError, show } from 'rlvi'
import { isNumber, notANumber } from './columns.js'
import type { ModelName } from './methods.js'

/** The response: numbers, or the position of each row's class in `classes`. */
export interface Target {
  readonly name: string
  readonly y: Float64Array
  readonly classes: readonly string[] | undefined
}

/** Beyond this many different values a text is a name or a remark, not a category. */
export const mostValues = 50

/** The model that a target asks for. */
export function modelFor(column: Column, read: Read): ModelName {
  const labels = read.labels.get(column.name)
  if (labels !== undefined) return labels.values.length > 2 ? 'softmax' : 'logistic'
  const y = read.numbers.get(column.name)!
  const binary = y.includes(0) && y.includes(1) && y.every((value) => value === 0 || value === 1)
  return binary ? 'logistic' : 'linear'
}

export function target(column: Column, read: Read, model: ModelName): Target {
  const { name } = column
  if (model === 'linear' || model === 'poisson') {
    const y = read.numbers.get(name)!
    if (model === 'poisson') checkCounts(name, y, read.rows)
    return { name, y, classes: undefined }
  }
  const { codes, classes } = labelled(name, read)
  const where = `column ${show(name)}`
  if (classes.length < 2) {
    const todo = 'a target with one class leaves nothing to tell apart'
    throw new RlviError(where, 'at least two classes are needed', classes, todo)
  }
  if (model === 'logistic' && classes.length > 2) {
    throw new RlviError(where, '--model logistic needs two classes', classes, 'use --model softmax')
  }
  if (classes.length > mostValues || classes.length > Math.max(2, codes.length / 2)) {
    const rule = `at most ${mostValues} classes, and fewer than half of the ${codes.length} rows, can be told apart`
    throw new RlviError(where, rule, classes.length, 'use --model linear if these are quantities')
  }
  return { name, y: Float64Array.from(codes), classes }
}

/** Texts sorted as texts, numbers as numbers. */
function labelled(
  name: string,
  read: Read,
): { codes: ArrayLike<number> & Iterable<number>; classes: string[] } {
  const labels = read.labels.get(name)
  if (labels !== undefined) return { codes: labels.codes, classes: [...labels.values] }
  const y = read.numbers.get(name)!
  const sorted = Float64Array.from(new Set(y)).sort()
  const code = new Map(Array.from(sorted, (value, k) => [value, k]))
  return { codes: y.map((value) => code.get(value)!), classes: Array.from(sorted, String) }
}

/** Numbers with a few words among them are numbers that someone mistyped, not categories. */
export function checkMistyped(name: string, read: Read, fix: string): void {
  const { codes, values, counts } = read.labels.get(name)!
  let numeric = 0
  values.forEach((value, code) => {
    if (isNumber(value)) numeric += counts[code]!
  })
  if (numeric === codes.length || 2 * numeric <= codes.length) return
  const odd = codes.findIndex((code) => !isNumber(values[code]!))
  throw notANumber(name, values[codes[odd]!]!, read.rows[odd]!, fix)
}

function checkCounts(name: string, y: Float64Array, rows: Int32Array): void {
  const odd = y.findIndex((count) => count < 0 || !Number.isInteger(count))
  if (odd < 0) return
  const where = `row ${rows[odd]}, column ${show(name)}`
  const rule = '--model poisson needs counts, whole and not negative'
  throw new RlviError(where, rule, y[odd], 'mend the value, or use --model linear')
}
