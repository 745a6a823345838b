import { type Matrix, show, takeRows } from 'rlvi'
import { designColumns, type Encoding } from '../encoding/encoding.js'
import type { Words } from '../words.js'
import { standardised } from './correlation.js'
import { nearlyDetermined } from './nearly-determined.js'

/** More would cost their square for each row. */
const MOST_COLUMNS = 100
/** Below this many rows whole numbers may be all different by chance. */
const FEW_ROWS = 20
const NEARLY_ONE = 0.999
/** A date and a moment of the same night differ by 1e-10. */
const EXACTLY_ONE = 1 - 1e-12

/**
 * What looks strange about columns of numbers, a sentence each: those that just count, ids, near-copies of others.
 *
 * @param some - the rows in which copies are looked for
 * @param all - how many rows the table has, where these are some of them
 */
export function notices(
  x: Matrix,
  encodings: readonly Encoding[],
  words: Words,
  some: Int32Array,
  all?: number,
): string[] {
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [encoding.date === undefined] : encoding.values.map(() => false),
  )
  const names = designColumns(encodings).map(({ name }) => name)
  const numeric = names.flatMap((_, j) => (isNumber[j] ? [j] : []))
  // Dates too: a time stands twice in many files, as a date and as a number.
  const isMeasured = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  const measured = names.flatMap((_, j) => (isMeasured[j] ? [j] : []))
  const unlike = numeric.flatMap((j) => {
    const what = orderOf(x, j, names[j]!, all ?? x.rows)
    if (what === undefined) return []
    return `column ${show(names[j])} ${what}: is there something to learn from it? ${words.option('exclude', [names[j]!])} leaves it out`
  })
  const ends = endsOf(x)
  const codes = numeric.flatMap((j) => {
    const code = mayHaveCodes(ends, j) ? missingCode(columnOf(x, j)) : undefined
    return codeRemark(names[j]!, code, words, all) ?? []
  })
  const times = numeric.flatMap((j) => {
    const unit = sinceEpoch(x, j, names[j]!)
    if (unit === undefined) return []
    return `column ${show(names[j])} looks like ${unit} since 1970, and is taken as a number: what it says is per ${unit.slice(0, -1)}; written as dates it would be per day`
  })
  const part = takeRows(x, some)
  const { remarks: copies, distinct } = nearCopies(part, measured, names)
  const sums = nearlyDetermined(part, distinct, names, words)
  return [...unlike, ...codes, ...times, ...copies, ...(sums === undefined ? [] : [sums])]
}

/** The same question about a target of numbers: whoever left -999 there did not mean it. */
export function targetCode(name: string, y: Float64Array, words: Words, all?: number): string | undefined {
  return codeRemark(name, missingCode(y), words, all)
}

function codeRemark(
  name: string,
  code: MissingCode | undefined,
  words: Words,
  all: number | undefined,
): string | undefined {
  if (code === undefined) return undefined
  const many = all === undefined ? `${code.rows} rows have` : 'some rows have'
  const values = code.values.map(String)
  const rows = `${many} ${values.join(' or ')}, far from all others`
  return `column ${show(name)}: ${rows}: does it stand for a missing value? ${words.option('missing', values)} takes it so`
}

/** By name and by size: seconds or thousandths of them since the beginning of 1970, for years from 2000 to 2040. */
function sinceEpoch(x: Matrix, j: number, name: string): 'seconds' | 'milliseconds' | undefined {
  const isTime = /(?:^|[\W_])(?:ts|utc|epoch)(?:$|[\W_])|time|date|_at$|(?:created|updated|modified)$/i
  if (!isTime.test(name) && !/[a-z]At$/.test(name)) return undefined
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = j; at < x.values.length; at += x.cols) {
    least = Math.min(least, x.values[at]!)
    most = Math.max(most, x.values[at]!)
  }
  const isIn = (factor: number): boolean => least >= factor * FIRST_SECOND && most <= factor * LAST_SECOND
  return isIn(1) ? 'seconds' : isIn(1000) ? 'milliseconds' : undefined
}

const FIRST_SECOND = Date.UTC(2000, 0, 1) / 1000
const LAST_SECOND = Date.UTC(2040, 0, 1) / 1000

/** Whether whole numbers only number the rows, in their order or in another. */
function orderOf(x: Matrix, j: number, name: string, all: number): string | undefined {
  if (x.rows < FEW_ROWS) return undefined
  const { cols, values } = x
  const first = values[j]!
  let [least, most, rises] = [first, first, true]
  const seen = new Set<number>()
  for (let i = 0; i < x.rows; i++) {
    const value = values[i * cols + j]!
    if (!Number.isInteger(value) || seen.has(value)) return undefined
    seen.add(value)
    if (i > 0 && value <= values[(i - 1) * cols + j]!) rises = false
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  // Rows that were dropped leave gaps.
  if (rises && (first === 0 || first === 1) && most - least < 2 * all) return 'just counts the rows'
  const saysId = /(?:^|[\W_])id$/i.test(name) || /[a-z]I[dD]$/.test(name)
  const isShuffled = !rises && most - least + 1 === all
  return saysId || isShuffled ? 'has another whole number in every row, as ids do' : undefined
}

/** Numbers that may stand for missing values, and how many rows have them. */
interface MissingCode {
  readonly values: readonly number[]
  readonly rows: number
}

/** A number such as -999 that comes again and again, farther from all other values than these lie apart. */
function missingCode(values: Float64Array): MissingCode | undefined {
  for (const sign of [-1, 1]) {
    let most = Number.NEGATIVE_INFINITY
    for (const value of values) most = Math.max(most, sign * value)
    if (!isFiller(most)) continue
    let [rows, least, next] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const one of values) {
      const value = sign * one
      if (value === most) rows++
      else {
        next = Math.max(next, value)
        least = Math.min(least, value)
      }
    }
    if (rows > 1 && next > least && most - next > next - least) return { values: [sign * most], rows }
  }
  return negativeCodes(values)
}

/** The least and the largest number of each column, row by row as they lie in memory. */
function endsOf({ rows, cols, values }: Matrix): {
  readonly least: Float64Array
  readonly most: Float64Array
} {
  const least = new Float64Array(cols).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(cols).fill(Number.NEGATIVE_INFINITY)
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) {
      const value = values[at]!
      if (value < least[j]!) least[j] = value
      if (value > most[j]!) most[j] = value
    }
  return { least, most }
}

/** Most columns of measured numbers cannot, and need not be looked through. */
function mayHaveCodes({ least, most }: ReturnType<typeof endsOf>, j: number): boolean {
  return least[j]! <= 0 || isFiller(least[j]!) || isFiller(most[j]!)
}

/** Ends of whole numbers of 16 and 32 bits, which instruments have where they measured nothing. */
const ENDS = [32_767, 32_768, 65_535, 2_147_483_647, 2_147_483_648]
/** Files of models of the earth fill gaps with 1e20 or 9.969e36: nothing that is measured is so large. */
const LARGEST = 1e19

/** Whether a number may stand for nothing: -999, 99.9 and the like, the end of a type, or a number of no quantity. */
function isFiller(value: number): boolean {
  const size = Math.abs(value)
  return /^99+(?:\.9+)?$/.test(String(size)) || ENDS.includes(size) || size >= LARGEST
}

/** A column by itself: whoever looks at it several times reads all rows of a large table for it once. */
function columnOf({ rows, cols, values }: Matrix, j: number): Float64Array {
  const column = new Float64Array(rows)
  for (let i = 0, at = j; i < rows; i++, at += cols) column[i] = values[at]!
  return column
}

const MOST_CODES = 3
/** Of the spread of other values: how far codes lie from them. */
const APART = 0.25

/** A few negative whole numbers, again and again, in a column that has only positive ones elsewhere: -9 and -8 in surveys. */
function negativeCodes(values: Float64Array): MissingCode | undefined {
  const counts = new Map<number, number>()
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value > 0) {
      least = Math.min(least, value)
      most = Math.max(most, value)
    } else counts.set(value, (counts.get(value) ?? 0) + 1)
    if (counts.size > MOST_CODES) return undefined
  }
  const codes = [...counts.keys()].sort((a, b) => b - a)
  const isCode = (code: number): boolean =>
    Number.isInteger(code) && code < 0 && code >= -99 && counts.get(code)! > 1
  if (codes.length === 0 || !codes.every(isCode) || most <= least) return undefined
  if (least - codes[0]! < APART * (most - least)) return undefined
  return { values: codes, rows: [...counts.values()].reduce((sum, count) => sum + count, 0) }
}

/** Columns that say nearly the same, and one of each such group with all others. */
function nearCopies(
  x: Matrix,
  numeric: readonly number[],
  names: readonly string[],
): { readonly remarks: string[]; readonly distinct: readonly number[] } {
  if (numeric.length > MOST_COLUMNS || x.rows < 3) return { remarks: [], distinct: [] }
  const scaled = numeric.map((j) => standardised(x, j))
  /** The first column of the group of each: a table with a column for every year has a pair for every two of them. */
  const group = numeric.map((_, b) => b)
  const pairs: { readonly a: number; readonly b: number; readonly r: number }[] = []
  scaled.forEach((own, b) => {
    for (let a = 0; a < b; a++) {
      let r = 0
      for (let i = 0; i < x.rows; i++) r += own[i]! * scaled[a]![i]!
      // An exact copy has been left out.
      if (Math.abs(r) < NEARLY_ONE || Math.abs(r) > EXACTLY_ONE) continue
      pairs.push({ a, b, r })
      const [from, to] = [group[b]!, group[a]!]
      group.forEach((own, k) => {
        if (own === from) group[k] = to
      })
    }
  })
  const groups = [...new Set(group)]
  const remarks = groups.flatMap((first) => {
    const within = pairs.filter(({ a }) => group[a] === first)
    const [least] = within.sort((one, other) => Math.abs(one.r) - Math.abs(other.r))
    if (least === undefined) return []
    const all = numeric.filter((_, k) => group[k] === first).map((j) => show(names[j]))
    const which = `columns ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
    const how =
      within.length > 1 ? `correlations from ${nearOne(least.r)} on` : `correlation ${nearOne(least.r)}`
    return `${which} say nearly the same (${how}): their coefficients are hard to tell apart`
  })
  return { remarks, distinct: groups.map((k) => numeric[k]!) }
}

/** Never rounded to 1, which it is not. */
function nearOne(r: number): string {
  const sign = r < 0 ? '-' : ''
  return Math.abs(r) > 0.99995 ? `beyond ${sign}0.9999` : r.toFixed(4)
}
