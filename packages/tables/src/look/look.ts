import {
  type Cells,
  type ColumnSummary,
  cells,
  type SummaryOptions,
  type Words,
  withoutMostlyEmpty,
} from '@rlvi/estimator'
import { fromDuckDB, HeaderAgain } from '../errors.js'
import type { Table } from '../table.js'
import { type Plan, plansOf } from './plan.js'
import { count, emptyTally, known, type Tally, type Texts, textsOf } from './scans.js'
import { summaryOf } from './summary.js'

/** A table at a glance. */
export interface TableLook {
  readonly rows: number
  readonly columns: readonly ColumnSummary[]
}

/** Columns of one query, of which a database would need gigabytes to plan a thousand. */
const TOGETHER = 100

/**
 * The columns of a table at a glance, by one scan of their numbers and of hashes of their texts; texts are asked for by
 * name only where they were not among the first rows, or stand among numbers.
 *
 * @example
 * const { columns } = await withTable('stars.csv', {}, (table) => look(table, { target: 'log_light' }))
 */
export async function look(table: Table, options: SummaryOptions = {}, words?: Words): Promise<TableLook> {
  let path = table.path
  try {
    const how = cells(options)
    const all = await plansOf(table, options, how)
    let rows = 0
    const columns: ColumnSummary[] = []
    for (let from = 0; from === 0 || from < all.length; from += TOGETHER) {
      const found = await lookAt(all.slice(from, from + TOGETHER), how)
      rows = found.rows
      columns.push(...found.columns)
    }
    if (table.parts.some(({ header }) => header !== undefined) && areNamed(columns))
      throw new HeaderAgain(table.path)
    return { rows, columns: withoutMostlyEmpty(columns, options) }
  } catch (error) {
    throw fromDuckDB(path, error, 'could not be read')
  }

  async function lookAt(plans: readonly Plan[], how: Cells): Promise<TableLook> {
    // Whatever is wrong, or only not as quick as hoped for, the careful way says.
    const { rows, tallies } = await counted(plans, how, true).catch(() => counted(plans, how, false))
    const found: (readonly Texts[])[] = []
    for (const part of table.parts) {
      path = part.path
      found.push(await textsOf(table, part, tallies, how))
    }
    const columns = tallies.map((tally, j) => {
      const of = (which: keyof Texts): Map<string, number> => added(found.map((all) => all[j]![which]))
      const named = { texts: known(tally) ?? of('texts'), among: of('among') }
      return summaryOf(tally, named, rows, options, words)
    })
    return { rows, columns }
  }

  async function counted(
    plans: readonly Plan[],
    how: Cells,
    isQuick: boolean,
  ): Promise<{ readonly rows: number; readonly tallies: readonly Tally[] }> {
    const tallies = plans.map(emptyTally)
    let rows = 0
    for (const part of table.parts) {
      path = part.path
      rows += await count(table, part, tallies, how, isQuick)
    }
    return { rows, tallies }
  }
}

function added(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const out = new Map<string, number>()
  for (const map of maps) for (const [key, value] of map) out.set(key, (out.get(key) ?? 0) + value)
  return out
}

/** Whether no column has numbers alone, and several have their own names among them. */
function areNamed(columns: readonly ColumnSummary[]): boolean {
  const hasName = ({ name, kind, top = [] }: ColumnSummary): boolean =>
    kind === 'mixed' && top.some(({ value }) => value.trim() === name)
  return columns.filter(hasName).length > 1 && columns.every(({ kind }) => kind !== 'number')
}
