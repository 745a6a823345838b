import { show } from 'rlvi'
import {
  areAllButSigns,
  areCodes,
  areLimited,
  areMeasured,
  areMostly,
  type Contents,
  firstWord,
  likenessOf,
  rowsAlike,
  rowsOf,
  type Unusable,
} from './among-numbers.js'
import { areNames } from './are-names.js'
import type { Cells } from './cells.js'
import { type Dates, type Numbers, numbers, type Texts, type Typed } from './column.js'
import { type DateOrder, dateOrder, dateOrders, daysOf, digitsOf, hasShortYear } from './dates.js'
import { type Likeness, likeness } from './likeness.js'
import { areTooMany } from './too-many.js'

export type { Unusable } from './among-numbers.js'

/**
 * A column by what it holds. Texts are numbers where all that are there are numbers, and dates where all are dates.
 * Numbers with a few words among them, or written in a way that could be misread, are no categories but a problem, unless
 * their writer says that they are texts.
 */
export function typed(column: Numbers | Texts, cells: Cells): Typed | Unusable {
  if (column.kind === 'number') return withoutMissing(column, cells)
  if (areNames(column, cells)) return named(column, cells)
  const { kinds, numeric, words } = contents(column, cells)
  // Digits may be a date.
  const dates = asDates(column, cells)
  if (dates !== undefined) return dates
  if (numeric > 0 && words === 0) return asExact(column, cells)
  if (areCodes(column, kinds, words)) return named(column, cells)
  const resembling = rowsAlike(column, kinds, (text) => likeness(text, cells.decimal))
  if (numeric + resembling > words - resembling && !column.asText) return firstWord(column, kinds, cells)
  if (areLimited(column, kinds) || areMeasured(column, kinds, cells)) return firstWord(column, kinds, cells)
  // Whoever wrote numbers as texts, or with a unit, did not mean as many categories as there are numbers.
  const likeNumbers = (text: string): Likeness | undefined => likenessOf(text, cells)
  const different = new Set(column.codes).size
  if (
    words > 0 &&
    areTooMany(different, numeric + words) &&
    (areMostly(column, kinds, words, likeNumbers) || areAllButSigns(column, kinds))
  )
    return firstWord(column, kinds, cells)
  return named(column, cells)
}

const MOST_CODES = 10
const ROWS_EACH = 5

/**
 * The first word of a column that holds a few whole numbers, again and again, and words: those numbers are codes (4, 6, 8 and
 * "rotary" cylinders), and the words are others.
 */
export function wordAmongCodes(column: Numbers | Texts, cells: Cells): string | undefined {
  if (column.kind === 'number' || areNames(column, cells)) return undefined
  const { kinds, numeric, words } = contents(column, cells)
  if (numeric === 0 || words === 0) return undefined
  const used = new Set(column.codes)
  const values = column.values.filter((_, code) => used.has(code) && kinds[code] !== 'missing')
  const numbers = values.map((text) => cells.numberOf(text)).filter((number) => typeof number === 'number')
  const few = values.length <= MOST_CODES && values.length * ROWS_EACH <= numeric + words
  if (!few || !numbers.every(Number.isInteger) || values.some((text) => likeness(text, cells.decimal)))
    return undefined
  return column.values[column.codes.find((code) => kinds[code] === 'word')!]
}

/** A column as numbers, whatever it seems to hold; `kind` says which texts can be none. */
export function requireNumbers(
  column: Numbers | Texts,
  cells: Cells,
  kind: (text: string) => ReturnType<Cells['kindOfText']> = cells.kindOfText,
): Numbers | Unusable {
  if (column.kind === 'number') return withoutMissing(column, cells)
  const kinds = column.values.map(kind)
  return column.codes.some((code) => kinds[code] === 'word')
    ? firstWord(column, kinds, cells)
    : asNumbers(column, cells)
}

/** A column as numbers, with its words as missing values; how many rows those are. */
export function coerced(
  column: Numbers | Texts,
  cells: Cells,
): { readonly data: Numbers; readonly words: number } {
  if (column.kind === 'number') return { data: withoutMissing(column, cells), words: 0 }
  const words = rowsOf(column, (code) => cells.kindOfText(column.values[code]!) === 'word')
  return { data: asNumbers(column, cells), words }
}

/** Whether a column turned out to be unusable. */
export function isUnusable(found: Typed | Unusable): found is Unusable {
  return 'rule' in found
}

function contents(column: Texts, { kindOfText }: Cells): Contents {
  const kinds = column.values.map(kindOfText)
  const numeric = rowsOf(column, (code) => kinds[code] === 'number')
  return { kinds, numeric, words: rowsOf(column, (code) => kinds[code] === 'word') }
}

/**
 * The same texts, with -1 where one says that there is none, and is not one of those that are `known`. Blanks around a text
 * are no part of it.
 */
export function named(column: Texts, { missing }: Cells, known: readonly string[] = []): Texts {
  const gone = column.values.map((value) => missing.isText(value) && !known.includes(value))
  const codes = gone.includes(true) ? column.codes.map((code) => (gone[code] ? -1 : code)) : column.codes
  const values = column.values.map((value) => (known.includes(value) ? value : value.trim()))
  return { ...column, codes, values }
}

/** NaN for the numbers that a user says stand for missing values. */
function withoutMissing(column: Numbers, { missing }: Cells): Numbers {
  if (missing.numbers.length === 0) return column
  const out = new Float64Array(column.length)
  for (let i = 0; i < out.length; i++) {
    const value = column.values[column.offset + i * column.stride]!
    out[i] = missing.numbers.includes(value) ? Number.NaN : value
  }
  return numbers(out)
}

/** With a plus in front and the country behind it: nobody writes a quantity so. */
const telephone = /^\s*\+\d{8,15}\s*$/

/** Whole numbers that are too long to be told apart as numbers are ids, and stay texts; so do the numbers of telephones. */
function asExact(column: Texts, cells: Cells): Numbers | Texts {
  const used = new Set(column.codes)
  const there = column.values.filter((text, code) => used.has(code) && !isGap(text, cells))
  if (there.every((text) => telephone.test(text))) return named(column, cells)
  const long = column.values.filter((text) => /^\s*[+-]?\d{16,}\s*$/.test(text)).map((text) => text.trim())
  const collapse = new Set(long.map(Number)).size < new Set(long.map(BigInt)).size
  return collapse ? named(column, cells) : asNumbers(column, cells)
}

/** Each different text is read once; NaN where it is no number. */
function asNumbers({ codes, values }: Texts, { numberOf }: Cells): Numbers {
  return decoded(codes, values, (text) => {
    const number = numberOf(text)
    return typeof number === 'number' ? number : Number.NaN
  })
}

function decoded(codes: Int32Array, values: readonly string[], read: (text: string) => number): Numbers {
  const each = Float64Array.from(values, read)
  const out = new Float64Array(codes.length)
  for (let i = 0; i < out.length; i++) out[i] = each[codes[i]!] ?? Number.NaN
  return numbers(out)
}

/** The dates of a column that holds nothing else. */
function asDates(column: Texts, cells: Cells): Dates | Unusable | undefined {
  const used = new Set(column.codes)
  const texts = column.values.filter((text, code) => used.has(code) && !isGap(text, cells))
  const order = dateOrder(texts, cells.rules.dateOrder)
  if (order === undefined) return amongDates(column, texts)
  if (order !== 'ambiguous') return datesIn(column, order)
  const rule = 'dates are needed in which day, month and year can be told apart'
  return { rule, got: show(texts[0]), asDates: true, asCategories: true }
}

/** So many of the different texts of a column are dates where the others are words among dates. */
const MOSTLY = 0.8

/** What is no date among many that are. */
function amongDates({ codes, values }: Texts, texts: readonly string[]): Unusable | undefined {
  // Most texts are none, and need not be read in every order.
  if (!texts.slice(0, 20).some((text) => /^\s*\w*[\s,]*\d/.test(text))) return undefined
  for (const order of dateOrders) {
    if (order === 'compact') continue
    const odd = texts.filter((text) => Number.isNaN(daysOf(text, order)))
    if (odd.length === 0 || texts.length - odd.length < MOSTLY * texts.length) continue
    // Dates in another way are told as what they are by who meets too many texts.
    if (odd.some((text) => /\d/.test(text))) continue
    const is = new Set(odd)
    const row = codes.findIndex((code) => is.has(values[code]!))
    return {
      rule: 'dates are needed',
      got: show(values[codes[row]!]),
      row,
      asMissing: odd,
      asCategories: true,
    }
  }
  return undefined
}

/** Dates written in a known order; NaN where there is none. */
export function datesIn({ codes, values, whole }: Texts, order: DateOrder): Dates {
  const hasShortYears = values.some((text) => hasShortYear(text, order))
  const days = decoded(codes, values, (text) => daysOf(text, order))
  const digits = order === 'compact' ? values.map(digitsOf).find((count) => count !== undefined) : undefined
  const dates: Dates = {
    ...days,
    kind: 'date',
    order,
    ...(hasShortYears ? { hasShortYears } : {}),
    ...(digits === undefined ? {} : { digits }),
  }
  const counts = whole?.complete ?? whole?.counts
  if (counts === undefined) return dates
  return { ...dates, whole: { days: Float64Array.from(values, (text) => daysOf(text, order)), counts } }
}

/** Dates in the order in which a model knows them. */
export function requireDates(column: Numbers | Texts, order: DateOrder, cells: Cells): Dates | Unusable {
  const rule = 'dates are needed'
  // A few dates of digits alone could be any numbers.
  if (column.kind === 'number' && order === 'compact') return requireDates(asTexts(column), order, cells)
  if (column.kind === 'number') return { rule, got: 'numbers' }
  const odd = column.values.map((text) => !isGap(text, cells) && Number.isNaN(daysOf(text, order)))
  const row = column.codes.findIndex((code) => odd[code] === true)
  if (row < 0) return datesIn(column, order)
  return { rule, got: show(column.values[column.codes[row]!]), row }
}

/** Dates are written like numbers: the same signs stand for a missing one. */
function isGap(text: string, { missing }: Cells): boolean {
  return missing.isNumber(text) || missing.isText(text)
}

/** The texts of a column of numbers. */
export function asTexts(column: Numbers): Texts {
  const known = new Map<number, number>()
  const codes = new Int32Array(column.length)
  for (let i = 0; i < column.length; i++) {
    const value = column.values[column.offset + i * column.stride]!
    if (!known.has(value)) known.set(value, known.size)
    codes[i] = Number.isNaN(value) ? -1 : known.get(value)!
  }
  return {
    kind: 'text',
    length: column.length,
    codes,
    values: Array.from(known.keys(), String),
    asText: true,
  }
}
