import { type CellRules, type Cells, type SummaryOptions, summariseColumn } from '@rlvi/estimator'
import { LabelsBuilder } from '../labels.js'
import { textSql } from '../numeric.js'
import type { Table } from '../table.js'

/** Rows that say what a column seems to hold; all rows then say whether it does. */
const HEAD = 2048

/** What a column seems to hold. */
export interface Plan {
  readonly name: string
  readonly as: 'number' | 'date' | 'text' | 'other'
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
    if (kind === 'number' || kind === 'date') return plan(kind)
    if (options.categories?.includes(name) || kind === 'boolean') return plan('text')
    const builder = new LabelsBuilder(texts.length)
    texts.forEach((row, i) => {
      builder.set(i, row[j] ?? null)
    })
    const seems = summariseColumn(name, builder.finish(), rulesOf(options)).kind
    if (seems === 'number' || seems === 'mixed' || options.numbers?.includes(name)) return plan('number')
    // The database reads dates that begin with the year; others are few enough to come by their texts.
    const ymd = texts.every(
      (row) => row[j] === null || how.missing.isText(row[j]!) || /^\s*\d{4}-/.test(row[j]!),
    )
    return plan(seems === 'date' && ymd ? 'date' : 'text')
  })
}

function rulesOf({ missing, decimal }: SummaryOptions): CellRules {
  return { missing, decimal }
}
