import { randomBytes } from 'node:crypto'
import { type DatabaseFit, flagBelow } from '@rlvi/estimator'
import { hearSignals } from '@rlvi/io'
import { type LinearParams, RlviError, type SoftmaxParams } from 'rlvi'
import { numberOf } from '../sql/aggregates.js'
import { clickhouse } from '../sql/clickhouse.js'
import { choose, type Let, minus, number } from '../sql/dialect.js'
import { classesSql, predictorSql, type RowsSql } from '../sql/models.js'
import { judgedSql, type SqlPassRows } from '../sql/pass-rows.js'
import type { ClickhouseTable } from './table.js'

/** A new column. */
interface NewColumn {
  readonly name: string
  readonly type: string
  readonly sql: string
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
  fit: DatabaseFit<SqlPassRows>,
  name: string,
): Promise<void> {
  const { server } = table
  const database = clickhouse.name(server.address.database)
  const unfinished = `${database}.${clickhouse.name(`${name}_unfinished_${randomBytes(4).toString('hex')}`)}`
  const { lets, columns } = judgement(table, fit)
  const all = [...table.columns.map(({ name: own, type }) => ({ name: own, type })), ...columns]
  const definition = all.map((column) => `${clickhouse.name(column.name)} ${column.type}`).join(', ')
  const stop = hearSignals()
  try {
    await server.command(`CREATE TABLE ${unfinished} (${definition}) ENGINE = MergeTree() ORDER BY tuple()`)
    const items = [
      ...table.columns.map((column) => clickhouse.name(column.name)),
      ...columns.map(({ sql }) => sql),
    ]
    const select = clickhouse.select({ from: table.from, where: '1', lets, items })
    await server.command(`INSERT INTO ${unfinished} ${select}`, stop.signal)
    const [[count = 0] = []] = await server.ask(`SELECT count() FROM ${unfinished}`)
    if (numberOf(count) !== fit.inputRows) {
      const rule = `all ${fit.inputRows} rows must be written`
      throw new RlviError(server.address.name, rule, numberOf(count), 'did the table change? try again')
    }
    await server.command(`RENAME TABLE ${unfinished} TO ${database}.${clickhouse.name(name)}`)
  } catch (error) {
    await server.command(`DROP TABLE IF EXISTS ${unfinished}`).catch(() => undefined)
    throw error
  } finally {
    stop.release()
  }
}

/** What the fit says of a row: nothing where a value is missing. */
function judgement(
  table: ClickhouseTable,
  { database: { table: rows }, rule, answer, model }: DatabaseFit<SqlPassRows>,
): { readonly lets: readonly Let[]; readonly columns: readonly NewColumn[] } {
  const { names, lets, clean, loss } = judgedSql(rows, rule)
  const found: NewColumn[] = [
    { name: 'clean', type: 'Float64', sql: clean },
    { name: 'flagged', type: 'UInt8', sql: `toUInt8(${clean} < ${number(flagBelow)})` },
    { name: 'loss', type: 'Float64', sql: loss },
  ]
  const more: Let[] = []
  const classes = model.target?.classes
  switch (rule.model.name) {
    case 'linear':
    case 'poisson':
    case 'logistic': {
      const { lets: own, sql: eta } = predictorSql(rule.params as unknown as LinearParams, names, 'p')
      more.push(...own)
      const predicted = {
        linear: `${eta} * ${number(answer.scale)} + ${number(answer.centre)}`,
        poisson: `exp(${eta})`,
        logistic: `${number(1)} / (${number(1)} + exp(${minus(eta)}))`,
      }[rule.model.name]
      found.push({ name: 'predicted', type: 'Float64', sql: predicted })
      if (classes !== undefined) {
        const [first = '', second = ''] = classes.map(clickhouse.text)
        found.push({ name: 'suggested', type: 'String', sql: choose(`${eta} > ${number(0)}`, second, first) })
      }
      break
    }
    case 'softmax':
      more.push(...mostProbable(rule.params as unknown as SoftmaxParams, names, classes ?? [], found))
      break
  }
  const taken = new Set(table.columns.map((column) => column.name))
  const columns = found.map(({ name, type, sql }) => ({
    name: freeName(name, taken),
    type: `Nullable(${type})`,
    sql: choose(rows.where, sql, 'NULL'),
  }))
  return { lets: [...lets, ...more], columns }
}

/** The class with the largest predictor, the first of equal ones, and its probability. */
function mostProbable(
  params: SoftmaxParams,
  names: RowsSql,
  classes: readonly string[],
  found: NewColumn[],
): readonly Let[] {
  const { lets, etas, total } = classesSql(params, names, 'p')
  const most: Let = [`${names.prefix}most`, etas.reduce((a, b) => clickhouse.greatest(a, b))]
  const suggested = etas.reduceRight(
    (rest, eta, k) => choose(`${eta} = ${most[0]}`, clickhouse.text(classes[k]!), rest),
    clickhouse.text(classes.at(-1) ?? ''),
  )
  found.push({ name: 'predicted', type: 'Float64', sql: `exp(${most[0]} - ${total})` })
  found.push({ name: 'suggested', type: 'String', sql: suggested })
  return [...lets, most]
}

/** As `beside` has it: a name that is taken is `rlvi_name`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`rlvi_${name}`, taken) : name
}
