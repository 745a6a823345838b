/** In which order a date has year, month and day. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy'

const DAY_MS = 86_400_000
const clock = String.raw`(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?`
const yearFirst = new RegExp(String.raw`^\s*(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${clock}\s*$`)
const yearLast = new RegExp(String.raw`^\s*(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${clock}\s*$`)

/** The days from the beginning of 1970 to a date, with its time as a part of a day; NaN for other texts. */
export function daysOf(text: string, order: DateOrder): number {
  const found = (order === 'ymd' ? yearFirst : yearLast).exec(text)
  if (found === null) return Number.NaN
  const [, first, , second, third, hour = '0', minute = '0', second60 = '0', zone] = found
  const [year, month, day] =
    order === 'ymd'
      ? [first, second, third]
      : order === 'dmy'
        ? [third, second, first]
        : [third, first, second]
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(midnight)
  // The 31st of April would be the 1st of May.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return Number.NaN
  const seconds = Number(second60.replace(',', '.'))
  if (Number(hour) > 24 || Number(minute) > 59 || seconds >= 61) return Number.NaN
  const ofDay = 3600 * Number(hour) + 60 * Number(minute) + seconds - offset(zone)
  return midnight / DAY_MS + ofDay / 86_400
}

/** Seconds by which a zone is ahead of UTC. */
function offset(zone: string | undefined): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '')
  if (found === null) return 0
  const seconds = 3600 * Number(found[2]) + 60 * Number(found[3] ?? 0)
  return found[1] === '-' ? -seconds : seconds
}

/**
 * The order in which all of these texts are dates, `undefined` if there is none; `ambiguous` where day and month cannot
 * be told apart in any of them.
 */
export function dateOrder(texts: readonly string[]): DateOrder | 'ambiguous' | undefined {
  const fits = (order: DateOrder): boolean => texts.every((text) => !Number.isNaN(daysOf(text, order)))
  if (texts.length === 0) return undefined
  if (fits('ymd')) return 'ymd'
  const [dayFirst, monthFirst] = [fits('dmy'), fits('mdy')]
  // Points are written where the day comes first.
  if (dayFirst && (!monthFirst || texts.every((text) => text.includes('.')))) return 'dmy'
  if (dayFirst) return 'ambiguous'
  return monthFirst ? 'mdy' : undefined
}

/** A day since the beginning of 1970 as a date: `2020-01-31`. */
export function dateText(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10)
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
