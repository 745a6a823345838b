import type { Texts } from '../columns/column.js'
import type { DateOrder, DatePart } from '../columns/dates.js'

/** What is taken of a column of dates: the days since one of them, or a part that may come again; of times the hours. */
export type OfDate = { readonly order: DateOrder } & (
  | { readonly part: 'days'; readonly from: string }
  | { readonly part: 'hours' }
  | { readonly part: DatePart }
)

/** How a column of a table becomes columns of numbers. */
export type Encoding =
  | {
      readonly name: string
      readonly kind: 'number'
      readonly date?: OfDate | undefined
      /** Where who fitted the model said that words among the numbers stand for missing values. */
      readonly words?: 'missing'
    }
  | {
      readonly name: string
      readonly kind: 'category'
      readonly date?: OfDate | undefined
      /** The most frequent value; it has no column of its own. */
      readonly base: string
      /** The other values, sorted, a column of 0 and 1 each. */
      readonly values: readonly string[]
      /** Values that are known, but have no column, since other columns determine it. */
      readonly aliased?: readonly string[]
    }

/** A column of the design: its name, and the column of the table that it comes from. */
export interface DesignColumn {
  readonly name: string
  readonly source: string
}

/** The name of a column, or of what is taken of it: `day`, `day.month`. */
export function titleOf({ name, date }: Encoding): string {
  return date === undefined || date.part === 'days' || date.part === 'hours' ? name : `${name}.${date.part}`
}

/** All values of a column of categories that a model knows. */
export function knownValues({
  base,
  values,
  aliased = [],
}: Extract<Encoding, { kind: 'category' }>): string[] {
  return [base, ...values, ...aliased]
}

/** The columns of numbers that the encodings make. */
export function designColumns(encodings: readonly Encoding[]): DesignColumn[] {
  return encodings.flatMap((encoding): DesignColumn[] => {
    const source = encoding.name
    const name = titleOf(encoding)
    if (encoding.kind === 'number') return [{ name, source }]
    return encoding.values.map((value) => ({ name: `${name}=${value}`, source }))
  })
}

/** The different texts of the rows that are used, sorted, and how many rows hold each. */
export interface Levels {
  readonly values: readonly string[]
  readonly counts: readonly number[]
}

/** Sorted, so that nothing depends on the order of the rows; values of unused rows alone are left out. */
export function levels({ codes, values, whole }: Texts, rows: Int32Array): Levels {
  const seen = new Map<string, number>()
  const counts = new Float64Array(values.length)
  for (const row of rows) counts[codes[row]!]!++
  // Of a part of a table: how frequent a value is, all rows say.
  const all = whole?.complete ?? whole?.counts
  all?.forEach((count, code) => {
    if (counts[code]! > 0 && count > 0) counts[code] = count
  })
  counts.forEach((count, code) => {
    // A dictionary may hold a value twice.
    if (count > 0) seen.set(values[code]!, (seen.get(values[code]!) ?? 0) + count)
  })
  const sorted = [...seen.keys()].sort(byCodeUnits)
  return { values: sorted, counts: sorted.map((value) => seen.get(value)!) }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The encoding of a text column: ties for the most frequent value go to the first in sorted order. */
export function categories(name: string, { values, counts }: Levels): Encoding {
  let most = 0
  counts.forEach((count, code) => {
    if (count > counts[most]!) most = code
  })
  return { name, kind: 'category', base: values[most] ?? '', values: values.filter((_, k) => k !== most) }
}
