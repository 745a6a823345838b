import {
  explainedBy,
  flagBelow,
  type JudgedRows,
  type PassRows,
  type ResponseUnits,
  type RowFit,
  type Units,
  type WorstRows,
} from '@rlvi/estimator'
import { type LinearParams, matrix, type Params, type SoftmaxParams } from 'rlvi'
import { sqlAggregates } from './aggregates.js'
import { choose, type Let, number, type Scan } from './dialect.js'
import { classesSql, lossSql, predictorSql, type RowsSql } from './models.js'
import { type Answer, checkRows, namesOf, numberOf, type SqlRows } from './rows.js'
import { weightSql } from './weights.js'

/** How many of the rows that a fit trusts least are shown. */
const MOST_ROWS = 8
/** Trusted rows that a model of labels gets wrong: so many show that labels cannot be told perfectly. */
const MISTAKEN = 50
/** Numbers that a server sorts at once, all in its memory. */
const MOST_SORTED = 20_000_000

/** The complete rows of a table in a database. */
export interface SqlTable extends SqlRows {
  readonly inputRows: number
  readonly missing: ReadonlyMap<string, number>
}

/** The rows of a database as a fit asks for them. */
export interface SqlPassRows extends PassRows {
  readonly table: SqlTable
  inUnits(kept: readonly number[], units: Units, answer: ResponseUnits): SqlPassRows
}

export function sqlPassRows(table: SqlTable): SqlPassRows {
  const { rows, inputRows, missing, centre } = table
  return {
    table,
    rows,
    inputRows,
    missing,
    centre,
    sums: (model) => sqlAggregates(model, table),
    inUnits: (kept, units, answer) => sqlPassRows(inUnits(table, kept, units, answer)),
    ...(rows * table.x.length <= MOST_SORTED ? { quartiles: () => quartiles(table) } : {}),
    judge: (fit) => judge(table, fit),
    // Rows of a database have no numbers.
    inputPlaces: (places) => places.map(() => -1),
  }
}

function inUnits(table: SqlTable, kept: readonly number[], units: Units, answer: ResponseUnits): SqlTable {
  const scaled = (sql: string, centre: number, scale: number): string => {
    const off = centre === 0 ? sql : `(${sql} - ${number(centre)})`
    return scale === 1 ? off : `(${off} / ${number(scale)})`
  }
  const { y } = table
  return {
    ...table,
    x: kept.map((j, k) => scaled(table.x[j]!, units.centre[k]!, units.scale[k]!)),
    centre: Float64Array.from(kept, (j, k) => (table.centre[j]! - units.centre[k]!) / units.scale[k]!),
    ...(y === undefined ? {} : { y: scaled(y, answer.centre, answer.scale) }),
  }
}

/** The values in the middle, and in the middles of both halves, as `valuesAt` has them. */
async function quartiles(table: SqlTable): Promise<Float64Array[]> {
  const { dialect, from, where, x, rows } = table
  const places = [0.25, 0.5, 0.75].map((share) => Math.floor(share * (rows - 1)))
  const items = x.flatMap((sql) => places.map((place) => dialect.ordered(sql, place, rows)))
  const [row = []] = await table.ask(dialect.select({ from, where, lets: [], items: ['count(*)', ...items] }))
  checkRows(table, numberOf(row[0]!))
  return x.map((_, j) => Float64Array.from(places, (_, k) => numberOf(row[1 + 3 * j + k]!)))
}

/** What a fit says of each row, by names of ours. */
export function judgedSql<P extends Params>(
  table: SqlRows,
  { model, params, clean }: Pick<RowFit<P>, 'model' | 'params' | 'clean'>,
): { readonly names: RowsSql; readonly lets: readonly Let[]; readonly clean: string; readonly loss: string } {
  const { names, lets } = namesOf(table)
  const weight = weightSql(model, clean, names)
  const loss = lossSql(model, params, names, 'j')
  const [c, l] = [`${table.prefix}judged`, `${table.prefix}loss`]
  return {
    names,
    lets: [...lets, ...weight.lets, ...loss.lets, [c, weight.sql], [l, loss.sql]],
    clean: c,
    loss: l,
  }
}

async function judge<P extends Params>(table: SqlTable, fit: RowFit<P>): Promise<JudgedRows> {
  const { model, params, supervised } = fit
  const { dialect, from, where } = table
  const { names, lets, clean, loss } = judgedSql(table, fit)
  const flagged = `${clean} < ${number(flagBelow)}`
  const explained = supervised
    ? explainedItems(model.name, model.classes, params, names, clean, loss)
    : undefined
  const items = [
    'count(*)',
    `sum(${choose(flagged, number(1), number(0))})`,
    `sum(${clean})`,
    `sum(${clean} * ${clean})`,
    ...(explained?.items ?? []),
  ]
  const all = [...lets, ...(explained?.lets ?? [])]
  const [row = []] = await table.ask(dialect.select({ from, where, lets: all, items }))
  const [
    count = 0,
    bad = 0,
    weight = 0,
    squares = 1,
    left = 0,
    responses = 0,
    second = 0,
    logs = 0,
    ...labels
  ] = row.map(numberOf)
  checkRows(table, count)
  const sums = { weight, left, responses, squares: second, logs, labels }
  return {
    flagged: bad,
    effectiveRows: (weight * weight) / squares,
    explained: supervised ? explainedBy(model.name, model.intercept, sums) : undefined,
    worst:
      bad === 0
        ? none(table)
        : await someRows(table, names, {
            lets,
            having: flagged,
            orderBy: `${clean}, ${loss} DESC`,
            limit: MOST_ROWS,
          }),
    ...(supervised && labels.length > 0
      ? { telling: await mistakenRows(table, fit, names, lets, clean) }
      : {}),
  }
}

/** Trusted rows that look like another label. */
async function mistakenRows<P extends Params>(
  table: SqlTable,
  { model, params }: RowFit<P>,
  names: RowsSql,
  judged: readonly Let[],
  clean: string,
): Promise<WorstRows> {
  const { y, dialect } = names
  const trusted = `${clean} >= ${number(flagBelow)}`
  if (model.name === 'logistic') {
    const { lets, sql: eta } = predictorSql(params as unknown as LinearParams, names, 's')
    const looks = choose(`${eta} > ${number(0)}`, number(1), number(0))
    const having = `${trusted} AND ${looks} != ${y}`
    return await someRows(table, names, { lets: [...judged, ...lets], having, limit: MISTAKEN })
  }
  const { lets, etas } = classesSql(params as unknown as SoftmaxParams, names, 's')
  const own = etas.reduceRight((rest, eta, k) => choose(`${y} = ${number(k)}`, eta, rest), number(0))
  const having = `${trusted} AND ${own} < ${etas.reduce((a, b) => dialect.greatest(a, b))}`
  return await someRows(table, names, { lets: [...judged, ...lets], having, limit: MISTAKEN })
}

/** The sums of `ExplainedSums` behind its weight. */
function explainedItems<P extends Params>(
  name: RowFit<P>['model']['name'],
  classes: number,
  params: P,
  names: RowsSql,
  clean: string,
  loss: string,
): { readonly lets: readonly Let[]; readonly items: readonly string[] } {
  const { y, prefix, dialect } = names
  if (name !== 'linear' && name !== 'poisson') {
    const labels = Array.from({ length: classes }, (_, k) => choose(`${y} = ${number(k)}`, clean, number(0)))
    const items = [`${clean} * ${loss}`, number(0), number(0), number(0), ...labels]
    return { lets: [], items: items.map((item) => `sum(${item})`) }
  }
  const { lets, sql: eta } = predictorSql(params as unknown as LinearParams, names, 'e')
  const [left, mean] = [`${prefix}left`, `${prefix}mean`]
  const logs = `${y} * ${dialect.ln(dialect.greatest(y, number(1)))}`
  const own: Let[] =
    name === 'linear'
      ? [[left, `(${y} - ${eta}) * (${y} - ${eta})`]]
      : [
          [mean, `exp(${eta})`],
          [left, `${logs} - ${y} * ${eta} - (${y} - ${mean})`],
        ]
  const sums = [left, y, `${y} * ${y}`, name === 'poisson' ? logs : number(0)]
  return { lets: [...lets, ...own], items: sums.map((item) => `sum(${clean} * (${item}))`) }
}

/** Rows as they are. */
async function someRows(
  { dialect, from, where, ask, x, y }: SqlTable,
  names: RowsSql,
  which: Pick<Scan, 'lets' | 'having' | 'orderBy' | 'limit'>,
): Promise<WorstRows> {
  const items = [...names.x, ...(y === undefined ? [] : [names.y])]
  const rows = await ask(dialect.select({ from, where, items, ...which }))
  const found = matrix(rows.length, x.length)
  rows.forEach((row: readonly Answer[], i) => {
    found.values.set(row.slice(0, x.length).map(numberOf), i * x.length)
  })
  return {
    places: Float64Array.from(rows.keys()),
    x: found,
    y: y === undefined ? new Float64Array(0) : Float64Array.from(rows, (row) => numberOf(row[x.length]!)),
  }
}

function none({ x, y }: SqlTable): WorstRows {
  const empty = new Float64Array(0)
  return { places: empty, x: matrix(0, x.length), y: y === undefined ? empty : new Float64Array(0) }
}
