import type { TableFit } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import { type Let, number } from '../sql/dialect.js'
import { hashSql } from './even-sample.js'
import { itemsOf } from './sample.js'
import type { ClickhouseSource } from './source.js'
import type { ClickhouseTable } from './table.js'
import { type Judgement, judgedColumns } from './write-rows.js'

/** Fewer rows than this are all read; what is known of each then fits into one query. */
const FEW = 2000

/** Whether a table has so few rows that it is fitted in memory, where leverage and labels that go wrong by habit are seen better. */
export function isFew(rows: number): boolean {
  return rows < FEW
}

/** What a fit in memory says of each row, by the row's hash. */
export async function fewRowsJudgement(
  table: ClickhouseTable,
  source: ClickhouseSource,
  { rows, clean, losses, predicted, suggested, model, inputRows }: TableFit,
): Promise<Judgement> {
  const hash = hashSql(itemsOf(source.contents, [...source.sample.keys()]))
  // In the order that the rows came in.
  const hashes = await table.server.ask(`SELECT toString(${hash}) FROM ${table.from} ORDER BY ${hash}`)
  if (hashes.length !== inputRows)
    throw new RlviError(
      table.path,
      `${inputRows} rows were read`,
      hashes.length,
      'did the table change? try again',
    )
  const first = new Map<string, number>()
  rows.forEach((row, i) => {
    const own = String(hashes[row]![0])
    if (!first.has(own)) first.set(own, i)
  })
  const list = [...first.values()]
  const place: Let = [`${table.prefix}place`, `indexOf([${[...first.keys()].join(', ')}], ${hash})`]
  const at = (values: readonly string[]): string => `[${values.join(', ')}][greatest(${place[0]}, 1)]`
  const numbers = (values: Float64Array): string => at(list.map((i) => number(values[i]!)))
  const classes = model.target?.classes?.map(clickhouse.text) ?? []
  const columns = judgedColumns(numbers(clean), numbers(losses), {
    ...(predicted === undefined ? {} : { predicted: numbers(predicted) }),
    ...(suggested === undefined
      ? {}
      : { suggested: `[${classes.join(', ')}][${at(list.map((i) => String(suggested[i]! + 1)))}]` }),
  })
  return {
    lets: list.length === 0 ? [] : [place],
    columns,
    where: list.length === 0 ? '0' : `${place[0]} > 0`,
  }
}
