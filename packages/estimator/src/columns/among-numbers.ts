import { show } from 'rlvi'
import type { Cells } from './cells.js'
import type { Texts } from './column.js'
import { isFootnote, isMoney, type Likeness, likeness, limitLikeness, unitLikeness } from './likeness.js'
import { missing } from './missing.js'
import type { Problem } from './problem.js'
import { type Readings, readingOf } from './reading.js'

/** What cannot be decided for the user. */
export type Unusable = Omit<Problem, 'column' | 'optional'>

/** What each different text of a column is, and how many rows have what. */
export interface Contents {
  readonly kinds: readonly ReturnType<Cells['kindOfText']>[]
  /** Rows that hold a number, and rows that hold a word. */
  readonly numeric: number
  readonly words: number
}

/** So many rows have a code with a letter in it where numbers beside them are codes, too. */
const CODED_SHARE = 0.05

/**
 * Whether whole numbers stand among as many different words that begin with letters and have digits in them, such as `PC 17599`
 * beside 113803, or end in one: codes, of tickets or parts, of which nothing is a number.
 */
export function areCodes(column: Texts, kinds: Contents['kinds'], words: number): boolean {
  const used = new Set(column.codes)
  const among = (kind: string): string[] =>
    column.values.filter((_, code) => used.has(code) && kinds[code] === kind).map((text) => text.trim())
  if (!among('number').every((text) => /^\d+$/.test(text))) return false
  // An ISBN may end in an X.
  const isCode = (text: string): boolean =>
    (/^\p{L}.*\d/u.test(text) && !isMoney(text)) || /^\d{6,}\p{Lu}$/u.test(text)
  const coded = among('word').filter(isCode)
  const rows = rowsOf(column, (code) => kinds[code] === 'word' && isCode(column.values[code]!.trim()))
  const all = rowsOf(column, (code) => kinds[code] !== 'missing')
  return coded.length > MOST_SIGNS && rows >= CODED_SHARE * all && 2 * rows > words
}

/** Numbers of fewer values may be groups: <18, 18 and >18. */
const FEWEST_MEASURED = 5

/** Whether many different numbers stand beside `<0.05` and the like, and nothing else: what was measured, within limits. */
export function areLimited({ codes, values }: Texts, kinds: Contents['kinds']): boolean {
  const used = new Set(codes)
  const words = values.filter((_, code) => used.has(code) && kinds[code] === 'word')
  const numbers = values.filter((_, code) => used.has(code) && kinds[code] === 'number')
  return (
    words.length > 0 &&
    numbers.length >= FEWEST_MEASURED &&
    words.every((word) => limitLikeness(word) !== undefined)
  )
}

/** Whether all words are like numbers, but for a few that come again and say that there is none, as ERR does. */
export function areMostly(
  column: Texts,
  kinds: Contents['kinds'],
  words: number,
  like: (text: string) => Likeness | undefined,
): boolean {
  const others = new Set(
    column.values.filter((text, code) => kinds[code] === 'word' && like(text) === undefined),
  )
  return others.size <= MOST_SIGNS && 2 * rowsAlike(column, kinds, like) > words
}

/** More numbers with a unit than these are no groups. */
const MOST_GROUPS = 10
const MOST_UNITS = 3

/** Whether many different numbers have a unit beside them, and all the same few: what was measured, and no categories. */
export function areMeasured({ codes, values }: Texts, kinds: Contents['kinds'], cells: Cells): boolean {
  const used = new Set(codes)
  const words = values.filter((_, code) => used.has(code) && kinds[code] === 'word')
  const units = words.map((text) => unitLikeness(text, cells.decimal)?.reading?.unit)
  return words.length > MOST_GROUPS && !units.includes(undefined) && new Set(units).size <= MOST_UNITS
}

/** Whether all texts are numbers but for a few words, in however many rows: M where there was no gust to measure. */
export function areAllButSigns({ codes, values }: Texts, kinds: Contents['kinds']): boolean {
  const used = new Set(codes)
  const words = values.filter((_, code) => used.has(code) && kinds[code] === 'word')
  // Without a number they are nothing but words.
  if (!values.some((_, code) => used.has(code) && kinds[code] === 'number')) return false
  return words.length > 0 && words.length <= MOST_SIGNS && words.every((word) => !/\d/.test(word))
}

/** How many rows hold a word that is like a number. */
export function rowsAlike(
  column: Texts,
  kinds: Contents['kinds'],
  like: (text: string) => Likeness | undefined,
): number {
  return rowsOf(column, (code) => kinds[code] === 'word' && like(column.values[code]!) !== undefined)
}

export function likenessOf(text: string, { decimal }: Cells): Likeness | undefined {
  return likeness(text, decimal) ?? unitLikeness(text, decimal)
}

/** How many rows have a text of a kind; of a part of a table, how many rows of all. */
export function rowsOf({ codes, values, whole }: Texts, is: (code: number) => boolean | undefined): number {
  const counted = values.map((_, code) => is(code) === true)
  if (whole?.counts !== undefined)
    return whole.counts.reduce((sum, count, code) => sum + (counted[code] ? count : 0), 0)
  let count = 0
  for (const code of codes) if (counted[code]) count++
  return count
}

/** So many different words may all say that there is no value. */
const MOST_SIGNS = 3

const FEWEST_POINTS = 3

/** Whether all points of numbers with a unit have three digits behind them: 12.500 € may be twelve thousand. */
function mayBeGrouped(odd: readonly string[], { decimal, thousands, units }: Readings): boolean {
  if (decimal !== undefined || thousands !== undefined || units.length === 0) return false
  const bare = odd.map((text) => text.replaceAll(/^[^\d-]+|\D+$/g, ''))
  const pointed = bare.filter((text) => text.includes('.'))
  return (
    pointed.length >= FEWEST_POINTS &&
    pointed.every((text) => /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) &&
    bare.every((text) => text.includes('.') || /^-?\d{1,3}$/.test(text))
  )
}

/** Letters by which offices of statistics mark a value as estimated, provisional or the like, and laboratories as high or low: 12.3 p, 15.4 H. */
const mark = /^[+-]?[\d.,]+\s+(?:(?![km]$)[a-z]{1,2}|[HL]{1,2})$/
const multiples = /^(?:[km]|b|bn|mn|mio|mrd|tsd)\.?$/i

export function firstWord(column: Texts, kinds: Contents['kinds'], cells: Cells): Unusable {
  const { codes, values } = column
  const isWord = (code: number): boolean => kinds[code] === 'word'
  const isAlike = values.map((value, code) => isWord(code) && likenessOf(value, cells) !== undefined)
  // Where most are numbers in another way, it is that way that is to be told.
  const first = codes.findIndex((code) => isAlike[code] === true)
  const row =
    first < 0 || readingOf([likenessOf(values[codes[first]!]!, cells)]) === undefined
      ? codes.findIndex(isWord)
      : first
  const text = values[codes[row]!]!
  const alike = likenessOf(text, cells) ?? limitLikeness(text)
  const used = new Set(codes)
  const odd = values.filter((_, code) => used.has(code) && kinds[code] === 'word')
  const likenesses = odd.map((value) => likenessOf(value, cells))
  const unlike = odd.filter(
    (word, k) => likenesses[k] === undefined || /^[+-]?inf(?:inity)?$/i.test(word.trim()),
  )
  const units = new Set(likenesses.flatMap((one) => one?.reading?.unit ?? []))
  const numbers = rowsOf(column, (code) => kinds[code] === 'number')
  const marked = numbers > 0 && odd.every((value) => mark.test(value.trim()))
  // 950 and 1.2k: without the k another number would be read.
  const multiple = numbers > 0 ? [...units].find((unit) => multiples.test(unit)) : undefined
  const read = multiple === undefined ? readingOf(likenesses) : undefined
  const reading = marked
    ? { decimal: undefined, thousands: undefined, units: [...units], unsure: false }
    : read !== undefined && cells.decimal === '.' && mayBeGrouped(odd, read)
      ? ({ ...read, decimal: '.', thousands: '.', unsure: true } as const)
      : read
  const [other] = [...units].filter((unit) => unit !== alike?.reading?.unit && !isFootnote(unit))
  const beside = other === undefined ? '' : `, where others have ${show(other)}`
  const said = ({ what }: Likeness): string => {
    if (marked)
      return `a letter beside the number, ${show(alike?.reading?.unit)}, as offices and laboratories mark values`
    return multiple === undefined ? `${what}${beside}` : `${what}, beside numbers without it: write them out`
  }
  const usual = cells.rules.missing === undefined ? [] : odd.filter(missing().isNumber)
  return {
    rule: 'numbers are needed',
    got: show(text),
    row,
    ...(usual.length > 0 && usual.length <= MOST_SIGNS ? { usual: usual.map((sign) => sign.trim()) } : {}),
    ...(alike === undefined ? {} : { alike: said(alike) }),
    ...(reading === undefined ? {} : { reading }),
    // Who takes a number for a missing value because of its sign would lose it.
    asNumbers: likenesses.every((one) => one === undefined),
    ...(unlike.length > 0 && unlike.length <= MOST_SIGNS && unlike.every((word) => !/[\d,]/.test(word))
      ? { asMissing: unlike.map((word) => word.trim()) }
      : {}),
    asCategories: true,
  }
}
