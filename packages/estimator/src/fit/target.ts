import { RlviError, show } from 'rlvi'
import type { Cells } from '../columns/cells.js'
import type { Numbers, Texts } from '../columns/column.js'
import { isClock } from '../columns/dates.js'
import { mostValues } from '../columns/too-many.js'
import { isUnusable, requireNumbers, typed, type Unusable } from '../columns/typed.js'
import { numbersAt } from '../encoding/design.js'
import { levels } from '../encoding/encoding.js'
import { hours, hoursOf } from '../encoding/of-date.js'
import type { Words } from '../words.js'
import type { Filled } from './filled.js'
import type { ModelName } from './methods.js'
import type { Settings } from './options.js'

/** The response: numbers, or the position of each row's class in `classes`. */
export interface Response {
  readonly name: string
  readonly y: Float64Array
  readonly classes: readonly string[] | undefined
}

/** What to do about a word among numbers. */
export const fixValue = 'fix the value, or leave it empty for missing'

/** Numbers of so few different values can be labels. */
const MOST_NUMBERED = 20
/** Each of three numbers or more is frequent where so many rows have it, and this share of an equal part. */
const FREQUENT_ROWS = 5
const FREQUENT_SHARE = 0.1

/** The numbers of a target and how many rows have each, as long as they can be labels. */
export class LabelCounts {
  readonly counts: Map<number, number> = new Map()
  /** Whether they are quantities: too many different ones, or not whole. */
  isMeasured = false

  /** False where nothing more is to be learned. A missing one is left out. */
  add(value: number): boolean {
    if (this.isMeasured || Number.isNaN(value)) return !this.isMeasured
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1)
    this.isMeasured = !Number.isInteger(value) || this.counts.size > MOST_NUMBERED
    return !this.isMeasured
  }
}

/** What all rows say, where a part of them stands for the table: of a target of numbers, and of gaps. */
export interface WholeTarget {
  readonly rows: number
  readonly numbers: LabelCounts
  /** Where its columns have values. */
  readonly filled: Filled
}

/** What a target is taken for, and why, where that is not the only way to take it. */
export interface Choice {
  readonly model: ModelName
  /** How many different whole numbers were taken as labels. */
  readonly numbered?: number
  /** None of them is negative, so that they could be counts. */
  readonly countable?: boolean
}

/** The target by what it holds, or what the model asks for. */
export function explain(
  column: Numbers | Texts,
  { model, cells }: Settings,
  words: Words,
): Numbers | Texts | Unusable {
  if (model !== 'linear' && model !== 'poisson') return labelsOrNumbers(column, cells)
  const found = hours(column, cells) ?? requireNumbers(column, cells)
  if (!isUnusable(found)) return found
  const labels = `${words.option('model', 'logistic')} or softmax for labels`
  return { ...found, ...only, todo: `fix the value, or use ${labels}` }
}

/** What is possible for features is not so for the target. */
const only = { asNumbers: false, asCategories: false } as const

function labelsOrNumbers(column: Numbers | Texts, cells: Cells): Numbers | Texts | Unusable {
  const found = typed(column, cells)
  if (isUnusable(found)) return { ...found, ...only, todo: fixValue }
  if (found.kind !== 'date') return found
  if (isClock(found.order)) return hoursOf(found)
  const todo = 'give another target, or make numbers of them, such as days since one of them'
  return { rule: 'numbers or labels are needed', got: 'dates', todo }
}

/**
 * The model of a target: `logistic` or `softmax` for labels, else `linear`. Texts are labels, and so are two different
 * whole numbers, and few that are each frequent: codes, not measurements. Where the target is known to hold labels they
 * need not be frequent, since a rare one may be a mistyped one.
 */
export function chooseModel(
  data: Numbers | Texts,
  rows: Int32Array,
  isLabels: boolean,
  whole?: WholeTarget,
): Choice {
  if (data.kind === 'text') return { model: levels(data, rows).values.length > 2 ? 'softmax' : 'logistic' }
  const tally = whole === undefined ? new LabelCounts() : whole.numbers
  if (whole === undefined)
    for (const row of rows) if (!tally.add(data.values[data.offset + row * data.stride]!)) break
  if (tally.isMeasured) return { model: 'linear' }
  const { counts } = tally
  const many = whole?.rows ?? rows.length
  const numbered = counts.size
  const countable = [...counts.keys()].every((value) => value >= 0)
  // Nobody means quantities by these.
  if (numbered === 2 && counts.has(0) && counts.has(1)) return { model: 'logistic' }
  if (numbered === 2) return { model: 'logistic', numbered, countable }
  const fewest = Math.max(FREQUENT_ROWS, (FREQUENT_SHARE * many) / numbered)
  const frequent = [...counts.values()].every((count) => count >= fewest)
  return numbered > 2 && (isLabels || frequent)
    ? { model: 'softmax', numbered, countable }
    : { model: 'linear' }
}

export function response(
  name: string,
  data: Numbers | Texts,
  rows: Int32Array,
  model: ModelName,
  words: Words,
): Response {
  if ((model === 'linear' || model === 'poisson') && data.kind === 'number') {
    const y = numbersAt(data, rows)
    if (model === 'poisson') checkCounts(name, y, rows, words)
    return { name, y, classes: undefined }
  }
  const { y, classes } = data.kind === 'text' ? textLabels(data, rows) : numberLabels(data, rows)
  checkClasses(name, classes, rows.length, model, words)
  return { name, y, classes }
}

function textLabels(data: Texts, rows: Int32Array): { y: Float64Array; classes: readonly string[] } {
  const { values: classes } = levels(data, rows)
  const places = data.values.map((value) => classes.indexOf(value))
  const y = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) y[i] = places[data.codes[rows[i]!]!]!
  return { y, classes }
}

/** Texts are sorted as texts, numbers as numbers. */
function numberLabels(data: Numbers, rows: Int32Array): { y: Float64Array; classes: string[] } {
  const y = numbersAt(data, rows)
  const sorted = Float64Array.from(new Set(y)).sort()
  const code = new Map(Array.from(sorted, (value, k) => [value, k]))
  return { y: y.map((value) => code.get(value)!), classes: Array.from(sorted, String) }
}

function checkClasses(
  name: string,
  classes: readonly string[],
  rows: number,
  model: ModelName,
  words: Words,
): void {
  const where = `column ${show(name)}`
  if (classes.length < 2) {
    const todo = 'a target with one class leaves nothing to tell apart'
    throw new RlviError(where, 'at least two classes are needed', classes, todo)
  }
  if (model === 'logistic' && classes.length > 2) {
    const rule = `${words.option('model', 'logistic')} needs two classes`
    throw new RlviError(where, rule, classes, `use ${words.option('model', 'softmax')}`)
  }
  if (classes.length > mostValues || classes.length > Math.max(2, rows / 2)) {
    const rule = `at most ${mostValues} classes, and fewer than half of the ${rows} rows, can be told apart`
    const todo = `use ${words.option('model', 'linear')} if these are quantities`
    throw new RlviError(where, rule, classes.length, todo)
  }
}

function checkCounts(name: string, y: Float64Array, rows: Int32Array, words: Words): void {
  const odd = y.findIndex((count) => count < 0 || !Number.isInteger(count))
  if (odd < 0) return
  const where = `${words.row(rows[odd]!)}, column ${show(name)}`
  const rule = `${words.option('model', 'poisson')} needs counts, whole and not negative`
  const todo = `fix the value, or use ${words.option('model', 'linear')}; ${words.rowsCount}`
  throw new RlviError(where, rule, y[odd], todo)
}
