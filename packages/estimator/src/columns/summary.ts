import type { Dates, Numbers, Texts, Typed } from './column.js'
import { dateText, timeText } from './dates.js'

/** A column at a glance. */
export interface ColumnSummary {
  readonly name: string
  readonly kind: ColumnKind
  readonly rows: number
  /** Rows without a value. */
  readonly missing: number
  /** The smallest and the largest value, as people write them; of texts none. */
  readonly range?: readonly [string, string]
  /** The median of numbers. */
  readonly median?: number
  /** Of texts: how many different ones. */
  readonly distinct?: number
  /** Of texts: the most frequent, with how many rows have each. */
  readonly top?: readonly { readonly value: string; readonly count: number }[]
  /** Of numbers and dates: how many rows lie in each of equally wide parts of the range. */
  readonly bins?: readonly number[]
  /** What a fit makes of it. */
  readonly use: ColumnUse
}

/** What a column holds. */
export type ColumnKind = 'number' | 'text' | 'date' | 'mixed' | 'none' | 'other'

/** What a fit makes of a column. */
export interface ColumnUse {
  readonly as: 'target' | 'feature' | 'left out' | 'problem'
  /** How it enters, or why it does not, in a few words. */
  readonly how: string
}

/** Parts of a range that are counted. */
export const SUMMARY_BINS = 24
const MOST_FREQUENT = 8

/** The numbers of a summary. */
export type Described = Omit<ColumnSummary, 'name' | 'use' | 'rows'>

/** What a column holds, by a pass over its rows. */
export function describe(data: Typed): Described {
  return data.kind === 'text' ? ofTexts(data) : ofNumbers(data)
}

function ofTexts({ codes, values }: Texts): Described {
  const counts = new Int32Array(values.length)
  let missing = 0
  for (const code of codes) {
    if (code < 0) missing++
    else counts[code]!++
  }
  const there = values.flatMap((value, code) => (counts[code]! > 0 ? [{ value, count: counts[code]! }] : []))
  there.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  const kind = there.length === 0 ? 'none' : 'text'
  return { kind, missing, distinct: there.length, top: there.slice(0, MOST_FREQUENT) }
}

function ofNumbers(data: Numbers | Dates): Described {
  const { kind, length, values, offset, stride } = data
  let [low, high, missing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < length; i++) {
    const value = values[offset + i * stride]!
    if (!Number.isFinite(value)) missing++
    else {
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  if (missing === length) return { kind: 'none', missing }
  const bins = new Array<number>(SUMMARY_BINS).fill(0)
  const wide = (high - low) / SUMMARY_BINS
  for (let i = 0; i < length; i++) {
    const value = values[offset + i * stride]!
    if (Number.isFinite(value)) bins[binOf(value, low, wide)]!++
  }
  return kind === 'date'
    ? { kind, missing, range: dateRange(low, high), bins }
    : { kind, missing, range: numberRange(low, high), bins, median: median(data, bins, low, wide) }
}

/** Days since 1970 from which on a range of dates needs no times. */
const FEW_DAYS = 3

/** From one date to another; within a few days with their times, if they have any. */
export function dateRange(low: number, high: number): readonly [string, string] {
  const hasTimes = high - low < FEW_DAYS && [low, high].some((day) => !Number.isInteger(day))
  const text = hasTimes ? timeText : dateText
  return [text(low), text(high)]
}

function binOf(value: number, low: number, wide: number): number {
  return wide > 0 ? Math.min(SUMMARY_BINS - 1, Math.floor((value - low) / wide)) : 0
}

/** Of all rows, of which those in the bins around it need to be put in order. */
function median(
  { length, values, offset, stride }: Numbers | Dates,
  bins: readonly number[],
  low: number,
  wide: number,
): number {
  const count = bins.reduce((sum, rows) => sum + rows, 0)
  const [lower, upper] = [Math.floor((count - 1) / 2), Math.ceil((count - 1) / 2)]
  let below = 0
  let first = 0
  while (below + bins[first]! <= lower) below += bins[first++]!
  let last = first
  for (let up = below + bins[first]!; up <= upper; up += bins[last]!) last++
  const around: number[] = []
  for (let i = 0; i < length; i++) {
    const value = values[offset + i * stride]!
    if (!Number.isFinite(value)) continue
    const bin = binOf(value, low, wide)
    if (bin >= first && bin <= last) around.push(value)
  }
  const sorted = Float64Array.from(around).sort()
  return (sorted[lower - below]! + sorted[upper - below]!) / 2
}

/** From one number to another, with as many digits as tell them apart to a hundredth of what lies between. */
export function numberRange(low: number, high: number): readonly [string, string] {
  const most = Math.max(Math.abs(low), Math.abs(high))
  const digits = low === high ? 5 : Math.ceil(Math.log10(most / (high - low))) + 3
  return [shortNumber(low, digits), shortNumber(high, digits)]
}

/** Five digits: enough to recognise a number; whole ones with all of theirs. */
function shortNumber(value: number, digits: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  return String(Number(value.toPrecision(Math.min(17, Math.max(5, digits)))))
}
