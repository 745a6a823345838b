import type { Cells } from '../columns/cells.js'
import { type Dates, type Numbers, numbers, type Texts } from '../columns/column.js'
import { datePart, daysOf, isClock } from '../columns/dates.js'
import { isUnusable, typed } from '../columns/typed.js'
import type { OfDate } from './encoding.js'

/** Times without a date as hours, or as minutes where they are written so. */
export function hoursOf(dates: Dates): Numbers {
  // Seconds, as they are written, are whole where days are divided by them.
  const unit = dates.order === 'minutes' ? 60e6 : 3600e6
  return numbers(dates.values.map((day) => Math.round(day * 86_400e6) / unit))
}

/** A column of times without a date; undefined for others. */
export function clockIn(column: Numbers | Texts, cells: Cells): Dates | undefined {
  if (column.kind === 'number') return undefined
  const found = typed(column, cells)
  return !isUnusable(found) && found.kind === 'date' && isClock(found.order) ? found : undefined
}

/** Such a column as hours or minutes; undefined for others. */
export function hours(column: Numbers | Texts, cells: Cells): Numbers | undefined {
  const found = clockIn(column, cells)
  return found && hoursOf(found)
}

/** What is taken of dates, as the column that is then encoded. Years are numbers; the parts that come again have names. */
export function ofDate(dates: Dates, what: OfDate): Numbers | Texts {
  if (what.part === 'days') {
    const first = daysOf(what.from, 'ymd')
    return numbers(dates.values.map((day) => day - first))
  }
  const { part } = what
  if (part === 'hours') return hoursOf(dates)
  if (part === 'year') {
    return numbers(dates.values.map((day) => (Number.isNaN(day) ? day : Number(datePart(day, part)))))
  }
  const known = new Map<string, number>()
  const codes = new Int32Array(dates.length)
  dates.values.forEach((day, i) => {
    const name = Number.isNaN(day) ? undefined : datePart(day, part)
    if (name !== undefined && !known.has(name)) known.set(name, known.size)
    codes[i] = name === undefined ? -1 : known.get(name)!
  })
  const values = [...known.keys()]
  const texts = { kind: 'text', length: codes.length, codes, values, asText: true } as const
  if (dates.whole === undefined) return texts
  const complete = values.map(() => 0)
  const { days, counts } = dates.whole
  days.forEach((day, k) => {
    const at = Number.isNaN(day) ? undefined : known.get(datePart(day, part))
    if (at !== undefined) complete[at]! += counts[k]!
  })
  const there = complete.reduce((sum, count) => sum + count, 0)
  return { ...texts, whole: { there, different: values.length, counts: complete, complete } }
}
