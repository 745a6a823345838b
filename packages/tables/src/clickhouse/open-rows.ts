import type { Cells, RowPlan, TargetPlan } from '@rlvi/estimator'
import { phrase, RlviError, show } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import { choose, number } from '../sql/dialect.js'
import { type SqlPassRows, sqlPassRows } from '../sql/pass-rows.js'
import { checkRows, numberOf } from '../sql/rows.js'
import { daysSql, doubleSql, hasNumber, hasText, numberOfText } from './cells.js'
import type { Contents } from './source.js'

/** The complete rows of a table as rows of a design, by SQL. */
export async function openRows(contents: Contents, plan: RowPlan, how: Cells): Promise<SqlPassRows> {
  const { table, numeric, texts } = contents
  const conditions = new Map<string, string>()
  const x: string[] = []
  for (const { name, wide, codes, daysFrom } of plan.columns) {
    const values = texts.get(name)?.values ?? []
    if (daysFrom !== undefined) {
      conditions.set(name, hasText(name, noDate))
      x.push(`(${daysSql(name)} - ${number(daysFrom)})`)
      continue
    }
    conditions.set(
      name,
      codes === undefined
        ? hasNumber(name, how)
        : hasText(
            name,
            values.filter((_, k) => Number.isNaN(codes.values[k * wide]!)),
          ),
    )
    if (codes === undefined) x.push(doubleSql(name))
    else
      for (let k = 0; k < wide; k++)
        x.push(
          numberOfText(
            name,
            values,
            values.map((_, code) => codes.values[code * wide + k]!),
          ),
        )
  }
  for (const name of plan.needed)
    if (!conditions.has(name))
      conditions.set(name, numeric.has(name) ? hasNumber(name, how) : hasText(name, []))
  const y = plan.target === undefined ? undefined : targetSql(plan.target, contents, how, conditions)
  const where = [...conditions.values()].map((condition) => `(${condition})`).join(' AND ') || '1'
  const names = [...conditions.keys()]
  const missing = names.map((name) => `sum(${choose(conditions.get(name)!, number(0), number(1))})`)
  const [counts = []] = await table.server.ask(
    `SELECT count(), sum(${choose(where, number(1), number(0))}), ${missing.join(', ')} FROM ${table.from}`,
  )
  const [inputRows = 0, rows = 0, ...gaps] = counts.map(numberOf)
  if (inputRows !== contents.rows) throw changed(table.path, contents.rows, inputRows)
  if (plan.strict) checkStrict(names, gaps, plan)
  const measured = [...x, ...(y === undefined ? [] : [y])]
  const infinite = measured.map((sql) => `sum(${choose(`isInfinite(${sql})`, number(1), number(0))})`)
  const odd =
    plan.target?.counts === true && y !== undefined
      ? `sum(${choose(`${y} >= ${number(0)} AND floor(${y}) = ${y}`, number(0), number(1))})`
      : number(0)
  const [found = []] = await table.server.ask(
    `SELECT ${['count()', odd, ...infinite].join(', ')} FROM ${table.from} WHERE ${where}`,
  )
  const [counted = 0, noCounts = 0, ...infinities] = found.map(numberOf)
  checkRows({ rows }, counted)
  const designNames = plan.columns.flatMap(({ name, wide }) => Array<string>(wide).fill(name))
  checkFinite([...designNames, plan.target?.name ?? ''], infinities)
  if (noCounts > 0) throw noCount(plan, noCounts)
  return sqlPassRows({
    dialect: clickhouse,
    from: table.from,
    where,
    prefix: table.prefix,
    x,
    ...(y === undefined ? {} : { y }),
    rows,
    centre: plan.centre,
    inputRows,
    missing: new Map(names.flatMap((name, k) => (gaps[k]! > 0 ? [[name, gaps[k]!] as const] : []))),
    ask: (sql) => table.server.ask(sql),
  })
}

/** What the first day of all is called by servers of 2018, and no date. */
const noDate = ['0000-00-00', '0000-00-00 00:00:00']

/** The response as a number: a quantity, or the place of a label. */
function targetSql(
  { name, labels, codes }: TargetPlan,
  { texts }: Contents,
  how: Cells,
  conditions: Map<string, string>,
): string {
  if (codes !== undefined) {
    const values = texts.get(name)?.values ?? []
    conditions.set(
      name,
      hasText(
        name,
        values.filter((_, k) => Number.isNaN(codes[k]!)),
      ),
    )
    return numberOfText(name, values, Array.from(codes))
  }
  conditions.set(name, hasNumber(name, how))
  const value = doubleSql(name)
  if (labels === undefined) return value
  return [...labels].reduceRight(
    (rest, [label, place]) => choose(`${value} = ${number(label)}`, number(place), rest),
    number(0),
  )
}

function changed(path: string, counted: number, found: number): RlviError {
  return new RlviError(path, `${counted} rows were counted`, found, 'did the table change? try again')
}

function checkStrict(names: readonly string[], gaps: readonly number[], { words }: RowPlan): void {
  const k = gaps.findIndex((count) => count > 0)
  if (k < 0) return
  const todo = `fix them, or drop such rows: leave ${words.option('strict')} out`
  const got = phrase(`${gaps[k]} rows without one`)
  throw new RlviError(`column ${show(names[k])}`, 'a value is needed in every row', got, todo)
}

/** An infinity is neither a number to fit nor a gap that someone left. */
export function checkFinite(names: readonly string[], infinite: readonly number[]): void {
  const k = infinite.findIndex((count) => count > 0)
  if (k < 0) return
  const got = phrase(`${infinite[k]} rows with an infinite one`)
  throw new RlviError(
    `column ${show(names[k])}`,
    'finite numbers are needed',
    got,
    'fix them, or make them NULL',
  )
}

function noCount({ target, words }: RowPlan, rows: number): RlviError {
  const rule = `${words.option('model', 'poisson')} needs counts, whole and not negative`
  const todo = `fix the values, or use ${words.option('model', 'linear')}`
  return new RlviError(`column ${show(target!.name)}`, rule, phrase(`${rows} rows with other numbers`), todo)
}
