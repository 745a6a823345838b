import type { MethodName, TableFit } from '@rlvi/estimator'
import { SAMPLE_ROWS } from 'rlvi/passes'
import { clickhouse } from '../sql/clickhouse.js'
import { type Let, number } from '../sql/dialect.js'
import { hashSql } from './even-sample.js'
import { itemsOf } from './sample.js'
import type { ClickhouseSource } from './source.js'
import type { ClickhouseTable } from './table.js'
import { type Judgement, judgedColumns } from './write-rows.js'

/** Fewer rows than this are fitted in memory by any method. */
const FEW = 2000
/** What is known of so many rows fits into one query. */
const AT_ONCE = 1500

/**
 * Whether a table is fitted in memory: where it has few rows; and where the fit would begin from all of them, which are here then, with
 * a method whose answer depends on where it begins.
 */
export function isInMemory(rows: number, method: MethodName): boolean {
  return rows < FEW || (rows < 2 * SAMPLE_ROWS && method !== 'paper' && method !== 'ml')
}

/** What a fit in memory says of each row, by the row's hash, some rows at a time. */
export function judgementsInMemory(
  table: ClickhouseTable,
  { contents, sample, hashes }: ClickhouseSource,
  fit: TableFit,
): Judgement[] {
  const hash = hashSql(itemsOf(contents, [...sample.keys()]))
  const used = new Map(Array.from(fit.rows, (row, i) => [row, i]))
  // Rows with one hash are alike. -1 where a value is missing.
  const found = new Map(hashes.map((own, row) => [own, used.get(row) ?? -1]))
  const kinds = [...found]
  return Array.from({ length: Math.ceil(kinds.length / AT_ONCE) }, (_, k) =>
    judgementOf(table, hash, fit, kinds.slice(k * AT_ONCE, (k + 1) * AT_ONCE)),
  )
}

/** Of rows with some hashes, and no others. */
function judgementOf(
  table: ClickhouseTable,
  hash: string,
  { clean, losses, predicted, suggested, model }: TableFit,
  kinds: readonly (readonly [hash: string, place: number])[],
): Judgement {
  const only = `${hash} >= ${kinds[0]![0]} AND ${hash} <= ${kinds.at(-1)![0]}`
  const known = kinds.filter(([, i]) => i >= 0)
  const list = known.map(([, i]) => i)
  if (list.length === 0) return { lets: [], columns: nothing(predicted, suggested), where: '0', only }
  const place: Let = [`${table.prefix}place`, `indexOf([${known.map(([own]) => own).join(', ')}], ${hash})`]
  const at = (values: readonly string[]): string => `[${values.join(', ')}][greatest(${place[0]}, 1)]`
  const numbers = (values: Float64Array): string => at(list.map((i) => number(values[i]!)))
  const classes = model.target?.classes?.map(clickhouse.text) ?? []
  const columns = judgedColumns(numbers(clean), numbers(losses), {
    ...(predicted === undefined ? {} : { predicted: numbers(predicted) }),
    ...(suggested === undefined
      ? {}
      : { suggested: `[${classes.join(', ')}][${at(list.map((i) => String(suggested[i]! + 1)))}]` }),
  })
  return { lets: [place], columns, where: `${place[0]} > 0`, only }
}

/** The columns of rows of which nothing is known. */
function nothing(predicted: unknown, suggested: unknown): Judgement['columns'] {
  return judgedColumns(number(0), number(0), {
    ...(predicted === undefined ? {} : { predicted: number(0) }),
    ...(suggested === undefined ? {} : { suggested: "''" }),
  })
}
