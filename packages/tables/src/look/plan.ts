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
  /** How dates are written that do not begin with the year and a sign. */
  readonly format?: string
  readonly isTarget: boolean
  readonly asText: boolean
}

export async function plansOf(table: Table, options: SummaryOptions, how: Cells): Promise<Plan[]> {
  const [first] = table.parts
  const selected = first!.columns.map(({ name }) => textSql(first!, name))
  const head = await table.connection.runAndReadAll(
    `select ${selected.join(', ')} from ${first!.from} limit ${HEAD}`,
  )
  const texts = head.getRows() as (string | null)[][]
  return table.columns.map(({ name, kind, asText = false }, j): Plan => {
    const isTarget = name === options.target
    const plan = (as: Plan['as']): Plan => ({ name, as, isTarget, asText })
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
    const builder = new LabelsBuilder(texts.length)
    texts.forEach((row, i) => {
      builder.set(i, row[j] ?? null)
    })
    const seems = summariseColumn(name, builder.finish(), rulesOf(options)).kind
    if (seems === 'number' || seems === 'mixed' || isNumber) return plan('number')
    if (seems !== 'date') return plan('text')
    const dates = texts.flatMap((row) => row[j] ?? []).filter((text) => !isGap(text, how))
    // The database reads dates that begin with the year; of others those that are written in a usual way.
    if (dates.every((text) => /^\s*\d{4}-/.test(text))) return plan('date')
    const format = dateFormat(dates)
    return format === undefined ? plan('text') : { ...plan('date'), format }
  })
}

function rulesOf({ missing, decimal }: SummaryOptions): CellRules {
  return { missing, decimal }
}

function isGap(text: string, { missing }: Cells): boolean {
  return missing.isNumber(text) || missing.isText(text)
}
