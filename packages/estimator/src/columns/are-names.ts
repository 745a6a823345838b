import { likenessOf } from './among-numbers.js'
import type { Cells } from './cells.js'
import type { Texts } from './column.js'
import { dateOrders, daysOf } from './dates.js'
import { limitLikeness } from './likeness.js'

/** Fewer different texts are looked at one by one. */
export const MANY = 10_000
/** So many say that most are words, where more than this share of them are: all that asks for half of them is then answered. */
const LOOKED_AT = 2000
const NEARLY_ALL = 0.75
/** Multiples of it fall evenly, and in step with no period. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Whether a column has many different texts, of which most, and in most rows, are words that are like no number and no date. To look
 * at a million of them in all ways that numbers and dates are written in takes half a minute.
 */
export function areNames({ codes, values, whole }: Texts, cells: Cells): boolean {
  if (whole !== undefined || values.length <= MANY) return false
  const rows = some(codes).flatMap((code) => values[code] ?? [])
  return rows.length > LOOKED_AT / 2 && areWords(rows, cells) && areWords(some(values), cells)
}

/** Some of a long list, from all over it. */
export function some<T>(list: ArrayLike<T>): T[] {
  return Array.from({ length: LOOKED_AT }, (_, k) => list[Math.floor(list.length * ((k * GOLDEN) % 1))]!)
}

/** Whether nearly all of some texts are words that are like no number and no date. */
export function areWords(texts: readonly string[], cells: Cells): boolean {
  return texts.filter((text) => isWord(text, cells)).length > NEARLY_ALL * texts.length
}

function isWord(text: string, cells: Cells): boolean {
  return (
    cells.kindOfText(text) === 'word' &&
    likenessOf(text, cells) === undefined &&
    limitLikeness(text) === undefined &&
    dateOrders.every((order) => Number.isNaN(daysOf(text, order)))
  )
}
