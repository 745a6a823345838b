import { show } from 'rlvi'
import { ofDate } from '../encoding/of-date.js'
import { encode } from '../fit/encode.js'
import { takeFeatures } from '../fit/features.js'
import type { Reason } from '../fit/left-out.js'
import { checkFitOptions, type FitTableOptions, type Settings } from '../fit/options.js'
import { chooseModel, explain } from '../fit/target.js'
import { argumentWords, type Words } from '../words.js'
import {
  type Column,
  type Columns,
  columnNames,
  columnOf,
  type Numbers,
  type Texts,
  type Typed,
} from './column.js'
import { isClock } from './dates.js'
import { type ColumnSummary, type ColumnUse, type Described, describe } from './summary.js'
import { asTexts, coerced, isUnusable, named, typed } from './typed.js'

/** How columns are read, and for which fit. Without a target every column is judged as a feature. */
export type SummaryOptions = Pick<
  FitTableOptions,
  | 'target'
  | 'model'
  | 'features'
  | 'exclude'
  | 'missing'
  | 'decimal'
  | 'thousands'
  | 'units'
  | 'categories'
  | 'numbers'
  | 'dateParts'
  | 'dateOrder'
  | 'intercept'
>

/**
 * The columns of a table at a glance: what each holds, how much of it is missing, its range and shape, and what `fitTable`
 * makes of it.
 *
 * @example
 * summariseColumns({ size, price }, { target: 'price' })[0] // { name: 'size', kind: 'number', missing: 0, … }
 */
export function summariseColumns(
  columns: Columns,
  options: SummaryOptions = {},
  words: Words = argumentWords,
): ColumnSummary[] {
  const settings = settingsOf(options, words)
  const all = columnNames(columns).map((name) =>
    summary(name, columnOf(columns, name), options, settings, words),
  )
  return withoutMostlyEmpty(all, options)
}

/** What a fit makes of columns when it has seen all of them: none that is empty in most rows stays, unless nothing else is there. */
export function withoutMostlyEmpty(
  all: readonly ColumnSummary[],
  { target, features = [], categories = [], numbers = [] }: SummaryOptions,
): ColumnSummary[] {
  const wanted = new Set([target, ...features, ...categories, ...numbers])
  const isHollow = ({ name, rows, missing, kind }: ColumnSummary): boolean =>
    !wanted.has(name) && kind !== 'other' && missing < rows && 2 * (rows - missing) < rows
  if (!all.some((column) => column.use.as === 'feature' && !isHollow(column))) return [...all]
  const use = { as: 'left out', how: 'it is empty in most rows' } as const
  return all.map((column) => (isHollow(column) ? { ...column, use } : column))
}

/** The same of one column. */
export function summariseColumn(
  name: string,
  column: Column,
  options: SummaryOptions = {},
  words: Words = argumentWords,
): ColumnSummary {
  return summariseColumns(new Map([[name, column]]), options, words)[0]!
}

function settingsOf(
  { target, model, exclude: _, features: __, ...rest }: SummaryOptions,
  words: Words,
): Settings {
  const unsupervised = model === 'mean' || model === 'covariance' || model === 'pca'
  // Where nothing is to be explained yet, any name will do.
  return checkFitOptions({ ...rest, model, ...(unsupervised ? {} : { target: target ?? '' }) }, words)
}

function summary(
  name: string,
  column: Numbers | Texts,
  options: SummaryOptions,
  settings: Settings,
  words: Words,
): ColumnSummary {
  const found = taken(name, column, settings)
  const described = !isUnusable(found)
    ? describe(inHours(found))
    : column.kind === 'text'
      ? mixed(column, settings)
      : describe(column)
  const isTarget = name === options.target
  const use = options.exclude?.includes(name)
    ? ({ as: 'left out', how: `by ${words.option('exclude')}` } as const)
    : isTarget
      ? targetUse(column, settings, words)
      : featureUse(name, column, settings, words)
  return { name, rows: column.length, ...described, use }
}

/** Times as the numbers that they are taken for. */
function inHours(found: Typed): Typed {
  return found.kind === 'date' && isClock(found.order)
    ? ofDate(found, { order: found.order, part: 'hours' })
    : found
}

/** Numbers and words: only the words are told one by one. */
function mixed(column: Texts, { cells }: Settings): Described {
  const kinds = column.values.map(cells.kindOfText)
  const missing = column.codes.reduce(
    (sum, code) => (code < 0 || kinds[code] === 'missing' ? sum + 1 : sum),
    0,
  )
  const { top = [] } = describe({
    ...column,
    codes: column.codes.map((code) => (kinds[code] === 'word' ? code : -1)),
  })
  return { kind: 'mixed', missing, top }
}

/** What the user says that it holds, or what it seems to hold. */
function taken(name: string, column: Numbers | Texts, settings: Settings): ReturnType<typeof typed> {
  const { cells, categories, numbers } = settings
  if (categories.includes(name)) return named(column.kind === 'number' ? asTexts(column) : column, cells)
  return numbers.includes(name) ? coerced(column, cells).data : typed(column, cells)
}

function targetUse(column: Numbers | Texts, settings: Settings, words: Words): ColumnUse {
  const found = explain(column, settings, words)
  if (isUnusable(found)) return { as: 'problem', how: `${found.rule}, got ${found.got}` }
  const model = settings.model ?? chooseModel(found, present(found), false).model
  const holds = model === 'linear' ? 'numbers' : model === 'poisson' ? 'counts' : 'labels'
  return { as: 'target', how: `${holds}, by a ${model} model` }
}

const reasons: Readonly<Record<Reason, string>> = {
  constant: 'it never varies',
  empty: 'it has no values',
  'mostly-empty': 'it is empty in most rows',
  names: 'another text in every row, as names and ids have',
  'hardly-repeated': 'more different texts than one for every two rows, as names and ids have',
  copy: 'it repeats another column',
  determined: 'other columns determine it',
  untrusted: 'only bad rows have it',
}

function featureUse(name: string, column: Numbers | Texts, settings: Settings, words: Words): ColumnUse {
  const table = new Map([[name, column.kind === 'number' ? asColumn(column) : column]])
  const taken = takeFeatures(table, [name], undefined, settings, words)
  const [usable] = taken.usable
  if (usable === undefined) return judged(taken)
  const encoded = encode([usable], present(usable.data), settings.model ?? 'linear', settings, words)
  const [feature] = encoded.features
  if (feature === undefined || encoded.problems.length > 0) return judged(encoded)
  const { encoding } = feature
  if (usable.data.kind === 'date' && isClock(usable.data.order))
    return { as: 'feature', how: usable.data.order === 'minutes' ? 'minutes' : 'hours' }
  if (usable.data.kind === 'date')
    return { as: 'feature', how: settings.dateParts ? 'parts of the date' : 'days since the first' }
  if (encoding.kind === 'number') return { as: 'feature', how: 'a number' }
  const { length } = encoding.values
  return {
    as: 'feature',
    how: `${length} indicator${length === 1 ? '' : 's'}, beside ${show(encoding.base)}`,
  }
}

function judged({ left, problems }: Pick<ReturnType<typeof takeFeatures>, 'left' | 'problems'>): ColumnUse {
  const [out] = left
  if (out !== undefined) return { as: 'left out', how: reasons[out.reason] }
  const [problem] = problems
  return { as: 'problem', how: `${problem?.rule}, got ${problem?.got}` }
}

function asColumn({ values, offset, stride, length }: Numbers): Column {
  return stride === 1 && offset === 0 && values.length === length
    ? values
    : { matrix: { rows: length, cols: stride, values }, column: offset }
}

/** The rows that have a value. */
function present(data: Typed): Int32Array {
  const rows = new Int32Array(data.length)
  let count = 0
  for (let i = 0; i < data.length; i++) {
    const there =
      data.kind === 'text'
        ? data.codes[i]! >= 0
        : Number.isFinite(data.values[data.offset + i * data.stride]!)
    if (there) rows[count++] = i
  }
  return rows.subarray(0, count)
}
