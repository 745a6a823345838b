import { isFootnote, type Likeness, type Reading, type Thousands } from './likeness.js'

/** How all odd texts of a column, or of several, would have to be read to be numbers. */
export interface Readings {
  readonly decimal: '.' | ',' | undefined
  readonly thousands: Thousands | undefined
  readonly units: readonly string[]
  /** `thousands` and `decimal` are the same sign, and none of the texts says which it is. */
  readonly unsure: boolean
}

/**
 * The one reading that makes numbers of all texts that are like numbers; undefined where there is none, or where two differ:
 * nobody may add kilograms to grams.
 */
export function readingOf(alike: readonly (Likeness | undefined)[]): Readings | undefined {
  const all = alike.flatMap((one) => one?.reading ?? [])
  const units = different(all.map(({ unit }) => unit))
  if (all.length === 0 || units.filter((unit) => !isFootnote(unit)).length > 1) return undefined
  return joined(all, units)
}

/** The reading of a whole table by those of its columns: a sign means the same in all of them. */
export function readingOfAll(readings: readonly Readings[]): Readings | undefined {
  return readings.length === 0
    ? undefined
    : joined(readings, different(readings.flatMap(({ units }) => units)))
}

function joined(
  all: readonly Pick<Reading, 'decimal' | 'thousands' | 'unsure'>[],
  units: readonly string[],
): Readings | undefined {
  // What one text leaves open another one may say.
  const sure = all.filter(({ unsure }) => unsure !== true)
  const [thousands, ...others] = different(sure.map((one) => one.thousands))
  const [decimal, ...more] = different(sure.map((one) => one.decimal))
  if (others.length + more.length > 0) return undefined
  const open = all.find(({ unsure }) => unsure === true)
  if (open === undefined) return { decimal, thousands, units, unsure: false }
  if (thousands === open.thousands) return { decimal, thousands, units, unsure: false }
  if (decimal === open.decimal) return { decimal, thousands, units, unsure: false }
  const unsure = thousands === undefined && decimal === undefined
  return { decimal: open.decimal, thousands: thousands ?? open.thousands, units, unsure }
}

function different<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value): value is T => value !== undefined))]
}
