import { type Matrix, matrix, phrase, RlviError, show } from 'rlvi'
import type { Cells } from '../columns/cells.js'
import type { Texts } from '../columns/column.js'
import { daysOf } from '../columns/dates.js'
import { design } from '../encoding/design.js'
import { designColumns, type Encoding, knownValues } from '../encoding/encoding.js'
import { hours } from '../encoding/of-date.js'
import type { Prepared } from '../fit/prepare.js'
import { columnsUnits } from '../fit/units.js'
import { asFitted } from '../predict/known.js'
import type { Words } from '../words.js'
import type { Source } from './row-source.js'

/** How a column of a table becomes columns of a design. */
export interface ColumnPlan {
  readonly name: string
  /** The first of its columns in the design, and how many there are. */
  readonly first: number
  readonly wide: number
  /**
   * Of texts what each code becomes, a row for each: NaN where that is a missing value, infinite where no row that was looked at
   * and misses nothing has it. Left out where values are numbers.
   */
  readonly codes?: Matrix
  /** Of dates that the database reads: days since 1970 of the one that counts as 0. */
  readonly daysFrom?: number
}

/** How rows of a table become rows of a design. */
export interface RowPlan {
  readonly cols: number
  /** Nearly the mean of each, or of the middle half where a few rows are far out. */
  readonly centre: Float64Array
  readonly columns: readonly ColumnPlan[]
  /** Other columns that must have a value for a row to be complete: constants, for instance. */
  readonly needed: readonly string[]
  readonly target?: TargetPlan
  /** Whether a missing value is an error. */
  readonly strict: boolean
  readonly words: Words
}

/** How the target becomes a number. */
export interface TargetPlan {
  readonly name: string
  /** The place of each label, by its number. */
  readonly labels?: ReadonlyMap<number, number>
  /** Of texts what each code becomes. */
  readonly codes?: Float64Array
  /** Whether it must be a count. */
  readonly counts: boolean
}

/** In place of a number where a text stands for none that is known. */
const UNSEEN = Number.POSITIVE_INFINITY

/** A plan by what was found out from some rows and from the texts of all. */
export function rowPlan(
  prepared: Prepared,
  source: Source<unknown>,
  cells: Cells,
  strict: boolean,
  words: Words,
): RowPlan {
  const columns: ColumnPlan[] = []
  let cols = 0
  for (const encoding of prepared.encodings) {
    const { name } = encoding
    const wide = designColumns([encoding]).length
    columns.push({ name, first: cols, wide, ...valuesOf(encoding, source, cells, words) })
    cols += wide
  }
  const used = new Set(prepared.encodings.map(({ name }) => name))
  const needed = prepared.needed.filter((name) => !used.has(name) && name !== prepared.response?.name)
  const target = targetPlan(prepared, source, cells, words)
  const { x } = prepared
  // Rows far out must not be near what all others are summed about: nothing would be left of their digits.
  const centre = Float64Array.from(columnsUnits(x, true), (units) => units.centre)
  // Of a rare category nothing is lost where its 0 and 1 stay as they are.
  prepared.encodings.forEach(({ kind }, k) => {
    const { first, wide } = columns[k]!
    if (kind === 'category') centre.fill(0, first, first + wide)
  })
  return { cols, centre, columns, needed, strict, words, ...(target === undefined ? {} : { target }) }
}

function valuesOf(
  encoding: Encoding,
  source: Source<unknown>,
  cells: Cells,
  words: Words,
): Pick<ColumnPlan, 'codes' | 'daysFrom'> {
  const { name, date } = encoding
  if (!isText(source, name)) {
    if (encoding.kind === 'number') return {}
    const rule = 'categories of a table that is not in memory must be texts'
    throw new RlviError(`column ${show(name)}`, rule, phrase('numbers'), 'let a query make texts of them')
  }
  if (date?.part === 'days' && source.dates?.has(name)) return { daysFrom: daysOf(date.from, 'ymd') }
  return { codes: codesOf(encoding, textsOf(source, name, words), cells) }
}

function isText({ sample }: Source<unknown>, name: string): boolean {
  return 'codes' in sample.get(name)!
}

/** All different texts, as a column with one row for each. */
function textsOf({ texts, isDatabase }: Source<unknown>, name: string, words: Words): Texts {
  const values = texts.get(name)
  if (values === undefined) {
    const rule = `a column of so many different texts, to be read as numbers or dates, must be within ${isDatabase ? 'a query' : 'memory'}`
    const more = isDatabase ? '' : `give more by ${words.option('memory')}, `
    const todo = `${more}leave it out by ${words.option('exclude', [name])}, or let a query make numbers of it`
    throw new RlviError(`column ${show(name)}`, rule, phrase('too many'), todo)
  }
  const codes = Int32Array.from(values.keys())
  return { kind: 'text', length: codes.length, codes, values, asText: true }
}

function codesOf(encoding: Encoding, texts: Texts, cells: Cells): Matrix {
  if (encoding.kind === 'number' && encoding.date === undefined)
    return matrix(
      texts.length,
      1,
      Float64Array.from(texts.values, (text) => numberOf(text, cells)),
    )
  const found = asFitted(encoding, texts, cells)
  const all = Int32Array.from(texts.codes.keys())
  const wide = designColumns([encoding]).length
  if (!('encoding' in found))
    throw new RlviError(`column ${show(encoding.name)}`, found.rule, phrase(found.got))
  const rows = design([found], all, { reuse: false, changes: true })
  const { data } = found
  if (data.kind === 'text') {
    const known = new Set(encoding.kind === 'category' ? knownValues(encoding) : [])
    data.codes.forEach((code, i) => {
      if (code < 0 || !known.has(data.values[code]!))
        rows.values.fill(code < 0 ? Number.NaN : UNSEEN, i * wide, (i + 1) * wide)
    })
  }
  return rows
}

function targetPlan(
  { response, model }: Prepared,
  source: Source<unknown>,
  cells: Cells,
  words: Words,
): TargetPlan | undefined {
  if (response === undefined) return undefined
  const { name, classes } = response
  const counts = model === 'poisson'
  if (!isText(source, name)) {
    if (classes === undefined) return { name, counts }
    return { name, counts, labels: new Map(classes.map((label, k) => [Number(label), k])) }
  }
  const texts = textsOf(source, name, words)
  const { values } = texts
  const inHours = classes === undefined ? hours(texts, cells) : undefined
  if (inHours !== undefined) return { name, counts, codes: inHours.values }
  const known = new Map((classes ?? []).map((label, k) => [label, k]))
  const codes = Float64Array.from(values, (text) => {
    if (classes !== undefined)
      return cells.missing.isText(text) ? Number.NaN : (known.get(text.trim()) ?? UNSEEN)
    return numberOf(text, cells)
  })
  return { name, counts, codes }
}

/** Words among numbers have been refused, or are wanted as missing values. */
function numberOf(text: string, cells: Cells): number {
  const number = cells.numberOf(text)
  return typeof number === 'number' ? number : Number.NaN
}
