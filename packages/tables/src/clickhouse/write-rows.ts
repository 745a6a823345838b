import { randomBytes } from 'node:crypto'
import { type DatabaseFit, flagBelow, type TableFit } from '@rlvi/estimator'
import { hearSignals } from '@rlvi/io'
import { type LinearParams, RlviError, type SoftmaxParams } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import { choose, type Let, minus, number } from '../sql/dialect.js'
import { classesSql, predictorSql, type RowsSql } from '../sql/models.js'
import { judgedSql, type SqlPassRows } from '../sql/pass-rows.js'
import { numberOf } from '../sql/rows.js'
import type { State } from './state.js'
import type { ClickhouseTable } from './table.js'

/** A new column. */
interface NewColumn {
  readonly name: string
  readonly type: string
  readonly sql: string
}

/** What a fit says of every row, by SQL. */
export interface Judgement {
  readonly lets: readonly Let[]
  readonly columns: readonly NewColumn[]
  /** Which rows it speaks of: none that misses a value. */
  readonly where: string
  /** Which rows it is for, where it is not for all. */
  readonly only?: string
}

/** The columns that a fit adds. */
export function judgedColumns(
  clean: string,
  loss: string,
  { predicted, suggested }: { readonly predicted?: string; readonly suggested?: string },
): NewColumn[] {
  return [
    { name: 'clean', type: 'Float64', sql: clean },
    { name: 'flagged', type: 'UInt8', sql: `toUInt8(${clean} < ${number(flagBelow)})` },
    { name: 'loss', type: 'Float64', sql: loss },
    ...(predicted === undefined ? [] : [{ name: 'predicted', type: 'Float64', sql: predicted }]),
    ...(suggested === undefined ? [] : [{ name: 'suggested', type: 'String', sql: suggested }]),
  ]
}

/** Refuses a table that is there already: before the fit, which may take its time. */
export async function checkNoTable({ server }: ClickhouseTable, name: string): Promise<void> {
  const { database, name: path } = server.address
  const found = await server.ask(
    `SELECT name FROM system.tables WHERE database = ${clickhouse.text(database)} AND name = ${clickhouse.text(name)}`,
  )
  if (found.length === 0) return
  throw new RlviError(
    path,
    'a new table is needed for the rows',
    name,
    'choose another name, or drop that table',
  )
}

/**
 * Writes every row of the table with what the fit says of it to a new table of the database. The rows never come here: the
 * server writes them, under another name until all are there.
 */
export async function writeRowsTable(
  table: ClickhouseTable,
  { inputRows, dropped }: Pick<TableFit, 'inputRows' | 'dropped'>,
  state: State,
  judgements: readonly Judgement[],
  name: string,
): Promise<void> {
  const { server } = table
  const database = clickhouse.name(server.address.database)
  const unfinished = `${database}.${clickhouse.name(`${name}_unfinished_${randomBytes(4).toString('hex')}`)}`
  const taken = new Set(table.columns.map((column) => column.name))
  const added = judgements[0]!.columns.map(({ name: own, type }) => ({
    name: freeName(own, taken),
    type: `Nullable(${type})`,
  }))
  const all = [...table.columns.map(({ name: own, type }) => ({ name: own, type })), ...added]
  const definition = all.map((column) => `${clickhouse.name(column.name)} ${column.type}`).join(', ')
  const stop = hearSignals()
  try {
    await server.command(`CREATE TABLE ${unfinished} (${definition}) ENGINE = MergeTree() ORDER BY tuple()`)
    const own = table.columns.map((column) => clickhouse.name(column.name))
    for (const { lets, columns, where, only = '1' } of judgements) {
      const items = [...own, ...columns.map(({ sql }) => choose(where, sql, 'NULL'))]
      const select = clickhouse.select({ from: table.from, where: only, lets, items })
      await server.command(`INSERT INTO ${unfinished} ${select}`, stop.signal)
    }
    const [counts = []] = await server.ask(
      `SELECT count(), count(${clickhouse.name(added[0]!.name)}) FROM ${unfinished}`,
    )
    checkWritten(server.address.name, counts.map(numberOf), [inputRows, inputRows - dropped])
    await state.check(unfinished)
    await server.command(`RENAME TABLE ${unfinished} TO ${database}.${clickhouse.name(name)}`)
  } catch (error) {
    await server.command(`DROP TABLE IF EXISTS ${unfinished}`).catch(() => undefined)
    throw error
  } finally {
    stop.release()
  }
}

/** All rows are there, and as many as the fit knows have its judgement: what does not give the same values twice finds none for some. */
function checkWritten(
  where: string,
  [rows, judged]: number[],
  [all, known]: readonly [number, number],
): void {
  const todo = 'did the table change? try again; rows that a query makes may be written to a table first'
  if (rows !== all) throw new RlviError(where, `all ${all} rows must be written`, rows, todo)
  if (judged === known) return
  throw new RlviError(where, `${known} rows must be written with what the fit says of them`, judged, todo)
}

/** The rules of a fit. */
export function judgementSql({
  database: { table: rows },
  rule,
  answer,
  model,
}: DatabaseFit<SqlPassRows>): Judgement {
  const { names, lets, clean, loss } = judgedSql(rows, rule)
  const { where } = rows
  const classes = model.target?.classes?.map(clickhouse.text) ?? []
  const { name } = rule.model
  if (name === 'softmax') {
    const most = mostProbable(rule.params as unknown as SoftmaxParams, names, classes)
    return { lets: [...lets, ...most.lets], columns: judgedColumns(clean, loss, most), where }
  }
  if (name !== 'linear' && name !== 'poisson' && name !== 'logistic')
    return { lets, columns: judgedColumns(clean, loss, {}), where }
  const { lets: own, sql: eta } = predictorSql(rule.params as unknown as LinearParams, names, 'p')
  const predicted = {
    linear: `${eta} * ${number(answer.scale)} + ${number(answer.centre)}`,
    poisson: `exp(${eta})`,
    logistic: `${number(1)} / (${number(1)} + exp(${minus(eta)}))`,
  }[name]
  const [first, second] = classes
  const suggested = first === undefined ? {} : { suggested: choose(`${eta} > ${number(0)}`, second!, first) }
  return { lets: [...lets, ...own], columns: judgedColumns(clean, loss, { predicted, ...suggested }), where }
}

/** The class with the largest predictor, the first of equal ones, and its probability. */
function mostProbable(
  params: SoftmaxParams,
  names: RowsSql,
  classes: readonly string[],
): { readonly lets: readonly Let[]; readonly predicted: string; readonly suggested: string } {
  const { lets, etas, total } = classesSql(params, names, 'p')
  const most: Let = [`${names.prefix}most`, etas.reduce((a, b) => clickhouse.greatest(a, b))]
  const suggested = etas.reduceRight(
    (rest, eta, k) => choose(`${eta} = ${most[0]}`, classes[k]!, rest),
    classes.at(-1)!,
  )
  return { lets: [...lets, most], predicted: `exp(${most[0]} - ${total})`, suggested }
}

/** As `beside` has it: a name that is taken is `rlvi_name`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`rlvi_${name}`, taken) : name
}
