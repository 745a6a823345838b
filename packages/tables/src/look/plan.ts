import { type CellRules, type Cells, type SummaryOptions, summariseColumn } from '@rlvi/estimator'
import { LabelsBuilder } from '../labels.js'
import { textSql } from '../numeric.js'
import type { Table } from '../table.js'
import { dateFormat } from './date-format.js'

/** Rows that say what a column seems to hold; all rows then say whether it does. */
const HEAD = 2048

/** What a column seems to hold. */
export interface Plan {
  readonly name: string
  readonly as: 'number' | 'date' | 'text' | 'other'
  /** How dates are written that do not begin with the year and a sign; `clock` for times without a date, which are hours. */
  readonly format?: string
  readonly isTarget: boolean
  readonly asText: boolean
  /** Of what the database calls it. */
  readonly type: string
  /** Texts of the first rows, by their hashes. */
  readonly first: ReadonlyMap<number, string>
}

/** A text as a whole number below 2^53: a scan sends it in its place. */
export function hashSql(text: string): string {
  return `(hash(${text}) >> 11)::double`
}

export async function plansOf(table: Table, options: SummaryOptions, how: Cells): Promise<Plan[]> {
  const [first] = table.parts
  const texted = first!.columns.map(({ name }) => textSql(first!, name))
  const selected = [...texted, ...texted.map(hashSql)]
  const head = await table.connection.runAndReadAll(
    `select ${selected.join(', ')} from ${first!.from} limit ${HEAD}`,
  )
  const rows = head.getRows() as (string | number | null)[][]
  const texts = rows.map((row) => row.slice(0, texted.length) as (string | null)[])
  return table.columns.map(({ name, kind, type, asText = false }, j): Plan => {
    const isTarget = name === options.target
    const hashed = rows.map((row): [number, string] => [row[texted.length + j] as number, row[j] as string])
    const first = new Map(hashed.filter(([, text]) => text !== null))
    const plan = (as: Plan['as']): Plan => ({ name, as, isTarget, asText, type, first })
    if (kind === 'other') return plan('other')
    if (kind === 'date') return plan(kind)
    const isNumber = options.numbers?.includes(name) === true
    // Whole numbers may be dates in digits; others need not be looked at.
    if (
      kind === 'number' &&
      (isNumber || !texts.every((row) => row[j] === null || /^\d{8,14}(?:\.0)?$/.test(row[j]!)))
    )
      return plan(kind)
    if (options.categories?.includes(name) || kind === 'boolean') return plan('text')
    const there = texts.flatMap((row) => row[j] ?? []).filter((text) => !isGap(text, how))
    const builder = new LabelsBuilder(texts.length)
    texts.forEach((row, i) => {
      builder.set(i, row[j] ?? null)
    })
    const seems = summariseColumn(name, builder.finish(), rulesOf(options)).kind
    // Times without a date are numbers, of hours, though no text is one.
    const isClock = seems === 'number' && there.some((text) => how.kindOfText(text) === 'word')
    const hasColons = there.every((text) => /^\s*\d+:[\d:.,]+\s*$/.test(text))
    if (isClock && !isNumber) return hasColons ? { ...plan('number'), format: 'clock' } : plan('text')
    if (seems === 'number' || seems === 'mixed' || isNumber) return plan('number')
    if (seems !== 'date') return plan('text')
    // The database reads dates that begin with the year; of others those that are written in a usual way.
    if (there.every((text) => /^\s*\d{4}-\d{1,2}-\d{1,2}/.test(text))) return plan('date')
    const format = dateFormat(there, options.dateOrder)
    return format === undefined ? plan('text') : { ...plan('date'), format }
  })
}

function rulesOf({ missing, decimal, thousands, units, dateOrder }: SummaryOptions): CellRules {
  return { missing, decimal, thousands, units, dateOrder }
}

function isGap(text: string, { missing }: Cells): boolean {
  return missing.isNumber(text) || missing.isText(text)
}
