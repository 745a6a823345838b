import { isSurelyClock, partOfClock, partOfMinutes } from './clock.js'
import { compactDate } from './compact-dates.js'

/** In which order a date has year, month and day; without a day it is the first of its month, quarter or week. */
export type DateOrder = (typeof dateOrders)[number]

/** Every order there is; `compact` is 20200131 or 2020013108, `clock` a time without a date: of a day, or how long something took;
 * `minutes` the same where 1:25 is 25 seconds. */
export const dateOrders = ['ymd', 'dmy', 'mdy', 'ym', 'my', 'compact', 'clock', 'minutes'] as const

/** Whether it is a time without a date. */
export function isClock(order: DateOrder): order is 'clock' | 'minutes' {
  return order === 'clock' || order === 'minutes'
}

/** Year, month and day as they are written, in one of the orders. */
type Places = Readonly<Record<'y' | 'm' | 'd', number>>
const places: Readonly<Record<Exclude<DateOrder, 'compact' | 'clock' | 'minutes'>, Places>> = {
  ymd: { y: 0, m: 1, d: 2 },
  dmy: { y: 2, m: 1, d: 0 },
  mdy: { y: 2, m: 0, d: 1 },
  ym: { y: 0, m: 1, d: -1 },
  my: { y: 1, m: 0, d: -1 },
}

const DAY_MS = 86_400_000
const monthAndYear = /^[a-z]{3,9}-\d\d$/i
const clock =
  /(?:T|,?\s+(?:@\s+)?|:)(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(?:\s*([ap])\.?m\.?)?\s*(Z|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|UTC|GMT)?$/i

/** The days from the beginning of 1970 to a date, with its time as a part of a day; NaN for other texts. */
export function daysOf(text: string, order: DateOrder): number {
  const bare = yearBehindTime(text.trim())
  if (order === 'clock') return partOfClock(bare)
  if (order === 'minutes') return partOfMinutes(bare)
  const time = clock.exec(bare)
  if (order === 'compact' && time === null) {
    const { date, time: part } = compactDate(bare) ?? { date: [], time: 0 }
    return midnightOf(date, order) + part
  }
  if (order === 'ym' && time === null) {
    const [, year, week] = /^(\d{4})-?W(\d{2})$/i.exec(bare) ?? []
    if (year !== undefined) return mondayOf(Number(year), Number(week))
  }
  // Spreadsheets write Jan-20; 01-20 may be anything.
  if (order === 'my' && !/\d{4}/.test(bare) && !monthAndYear.test(bare)) return Number.NaN
  const parts = partsOf(time === null ? bare : bare.slice(0, time.index), order)
  const midnight = parts === undefined ? Number.NaN : midnightOf(parts, order)
  return time === null ? midnight : midnight + partOfDay(time)
}

/** `Wed May  1 08:00:00 UTC 2024`, as C, Java and Unix print a moment, with its year where others have it. */
function yearBehindTime(text: string): string {
  const found =
    /^([a-z]{3} [a-z]{3} {1,2}\d{1,2}) (\d\d:\d\d:\d\d(?: (?:UTC|GMT)(?:[+-]\d\d:\d\d)?)?) (\d{4})$/i.exec(
      text,
    )
  return found === null ? text : `${found[1]} ${found[3]} ${found[2]}`
}

/** The first day of a week of ISO 8601: the first week has the 4th of January. */
function mondayOf(year: number, week: number): number {
  if (week < 1 || week > 53 || year < 1800 || year > 2199) return Number.NaN
  const fourth = Date.UTC(year, 0, 4) / DAY_MS
  const weekday = (new Date(fourth * DAY_MS).getUTCDay() + 6) % 7
  return fourth - weekday + 7 * (week - 1)
}

/** The part of a day that a time is; NaN where there is no such time. */
function partOfDay([, hours, minutes, seconds = '0', half, zone]: RegExpExecArray): number {
  const second = Number(seconds.replace(',', '.'))
  let hour = Number(hours)
  if (hour > 24 || Number(minutes) > 59 || second >= 61) return Number.NaN
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return Number.NaN
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  return (3600 * hour + 60 * Number(minutes) + second - offset(zone)) / 86_400
}

/** Seconds by which a zone is ahead of UTC. */
function offset(zone: string | undefined): number {
  const found = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone ?? '')
  if (found === null) return 0
  const seconds = 3600 * Number(found[2]) + 60 * Number(found[3] ?? 0)
  return found[1] === '-' ? -seconds : seconds
}

/** What is written one after the other: numbers with the same sign between them, or with the name of a month among them. */
function partsOf(date: string, order: Exclude<DateOrder, 'clock'>): readonly string[] | undefined {
  if (order === 'compact') return /^(\d{4})(\d{2})(\d{2})$/.exec(date)?.slice(1)
  const numbers = /^(\d+)([-/.])(\d+)(?:\2(\d+))?$/.exec(date)
  if (numbers !== null) {
    const [, first = '', sign, second = '', third] = numbers
    // 2020.01 is a number.
    if (third === undefined) return sign === '.' ? undefined : [first, second]
    return [first, second, third]
  }
  const eastern = /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日일])?$/.exec(date)
  if (eastern !== null) return eastern.slice(1).filter((part) => part !== undefined)
  if (!/[a-z]/i.test(date)) return undefined
  const named = date
    .replace(/^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]?\s+/i, '')
    .replace(/^(\d{4})(Q[1-4])$/i, '$1 $2')
    // As SAS and Stata write it: 31jan2020.
    .replace(/^(\d{1,2})([a-z]{3,9})(\d{2}|\d{4})$/i, '$1 $2 $3')
    .replace(/(?<=\d)(?:st|nd|rd|th)(?=[\s,]|$)/i, '')
  return named.split(/[.,]?\s+|[-/.]/)
}

function midnightOf(parts: readonly string[], order: Exclude<DateOrder, 'clock' | 'minutes'>): number {
  const { y, m, d } = places[order === 'compact' ? 'ymd' : order]
  if (parts.length !== (d < 0 ? 2 : 3)) return Number.NaN
  const year = yearOf(parts[y]!, order)
  const month = monthOf(parts[m]!, d < 0)
  const written = parts[d] ?? '1'
  const day = /^\d{1,2}$/.test(written) ? Number(written) : Number.NaN
  const midnight = Date.UTC(year, month - 1, day)
  const date = new Date(midnight)
  // The 31st of April would be the 1st of May.
  const isOne = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isOne ? midnight / DAY_MS : Number.NaN
}

const FIRST_SHORT = 69
const LAST_SHORT = 39

/** Of two digits, 69 to 99 are of the last century and 00 to 39 of this one; those between may be of either. */
function yearOf(text: string, order: DateOrder): number {
  // JavaScript takes the years of the first century for others, too.
  if (/^\d{4}$/.test(text)) {
    // Without a day, 12-3456 is rather the number of a part.
    const [least, most] = order === 'ym' || order === 'my' ? [1800, 2199] : [100, 9999]
    return Number(text) < least || Number(text) > most ? Number.NaN : Number(text)
  }
  if (!/^\d\d$/.test(text) || order === 'ymd' || order === 'ym') return Number.NaN
  const short = Number(text)
  if (short >= FIRST_SHORT) return 1900 + short
  return short <= LAST_SHORT ? 2000 + short : Number.NaN
}

/** Whether a date, in such an order, has a year of two digits. */
export function hasShortYear(text: string, order: DateOrder): boolean {
  const bare = text.trim()
  if (order === 'my') return monthAndYear.test(bare)
  if (order !== 'dmy' && order !== 'mdy') return false
  return partsOf(bare.slice(0, clock.exec(bare)?.index), order)?.at(-1)?.length === 2
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** 1 to 12 for a number, or for the name of a month or its first three letters; without days also for a quarter. */
function monthOf(text: string, quarters: boolean): number {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const name = text.toLowerCase()
  const quarter = quarters ? /^q([1-4])$/.exec(name)?.[1] : undefined
  if (quarter !== undefined) return 3 * Number(quarter) - 2
  const found = months.findIndex(
    (month) => month === name || month.slice(0, 3) === name || (name === 'sept' && month === 'september'),
  )
  return found < 0 ? Number.NaN : found + 1
}

/** Whole numbers that are all dates by chance are rarer than one in a million from so many different ones on. */
const FEWEST_COMPACT = 4

/**
 * The order in which all of these texts, which are all different, are dates; `undefined` if there is none; `ambiguous` where day
 * and month, or day and year, cannot be told apart in any of them, unless it is `given`.
 */
export function dateOrder(
  texts: readonly string[],
  given?: 'dmy' | 'mdy',
): DateOrder | 'ambiguous' | undefined {
  const fits = (order: DateOrder): boolean => texts.every((text) => !Number.isNaN(daysOf(text, order)))
  if (texts.length === 0) return undefined
  if (fits('ymd')) return 'ymd'
  if (given !== undefined && fits(given)) return given
  const [dayFirst, monthFirst] = [fits('dmy'), fits('mdy')]
  // 20-01-31 may begin with the year.
  if ((dayFirst || monthFirst) && texts.every(mayBeginWithYear)) return 'ambiguous'
  // Points are written where the day comes first.
  if (dayFirst && (!monthFirst || texts.every((text) => /^\s*\d+\./.test(text)))) return 'dmy'
  if (dayFirst) return 'ambiguous'
  if (monthFirst) return 'mdy'
  if (texts.length >= FEWEST_COMPACT && areCompact(texts)) return 'compact'
  const found = (['ym', 'my', 'clock', 'minutes'] as const).find(fits)
  return found === 'clock' && !texts.some(isSurelyClock) ? undefined : found
}

function mayBeginWithYear(text: string): boolean {
  const [, year, month, day] = /^\s*(\d\d)-(\d\d?)-(\d\d)(?!\d)/.exec(text) ?? []
  return year !== undefined && !Number.isNaN(daysOf(`${day}-${month}-${year}`, 'dmy'))
}

/** Whether all texts are dates of as many digits, of a time that people write of: other numbers are ids. */
function areCompact(texts: readonly string[]): boolean {
  const isOne = (text: string): boolean =>
    /^\s*(?:19|20)/.test(text) && !Number.isNaN(daysOf(text, 'compact'))
  const lengths = new Set(texts.flatMap((text) => digitsOf(text) ?? []))
  return texts.every(isOne) && lengths.size <= 1
}

/** How many digits a date has that is written in digits alone. */
export function digitsOf(text: string): number | undefined {
  return compactDate(text.trim())?.digits
}

/** A day since the beginning of 1970 as a date: `2020-01-31`. */
export function dateText(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10)
}

/** The same with its time, to the minute: `2020-01-31 08:30`. */
export function timeText(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 16).replace('T', ' ')
}

/** The parts of a date that a model may depend on. */
export const dateParts = ['year', 'month', 'weekday', 'hour'] as const
/** One of them. */
export type DatePart = (typeof dateParts)[number]

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A part of a date as a text that sorts: `2020`, `03`, `Mon`, `17`. */
export function datePart(days: number, part: DatePart): string {
  // A time of day as a part of a day is inexact, by far less than a millisecond.
  const date = new Date(Math.round(days * DAY_MS))
  const two = (number: number): string => String(number).padStart(2, '0')
  switch (part) {
    case 'year':
      return String(date.getUTCFullYear())
    case 'month':
      return two(date.getUTCMonth() + 1)
    case 'weekday':
      return weekdays[date.getUTCDay()]!
    case 'hour':
      return two(date.getUTCHours())
  }
}
