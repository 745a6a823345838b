import { phrase, RlviError } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import { choose, number, sum } from '../sql/dialect.js'
import { type Answer, numberOf } from '../sql/rows.js'
import { doubleSql, textSql } from './cells.js'
import type { ClickhouseTable } from './table.js'

/** What the rows of a table were at first. */
export interface State {
  /** Throws where rows, those of the table or those that stand behind another FROM, have other values now. */
  check(from?: string): Promise<void>
}

/**
 * Two sums over all rows that tell one state of a table from the next: where as many rows as before have other values, an answer would be
 * mixed of two tables.
 *
 * Each row is turned into an angle by all of its values, and the cosines and sines of the angles are summed. Hashes would tell more, but too
 * much: a query that groups rows adds doubles in another order each time, so that their last digits are never the same twice. Angles
 * move by as little as these do, and by much where a value changes by a billionth of itself.
 */
export async function stateOf(table: ClickhouseTable, names: readonly string[]): Promise<State> {
  const { server, columns } = table
  const used = columns.filter(({ name }) => names.includes(name))
  const doubles = used
    .filter(({ kind, type }) => kind === 'number' && type.includes('Float'))
    .map(({ name }) => name)
  const scales = await scalesOf(table, doubles)
  const others = used.filter(({ name }) => !doubles.includes(name))
  const exact = others.flatMap(({ name, kind }) => [
    kind === 'number' ? doubleSql(name) : textSql(name),
    `isNull(${clickhouse.name(name)})`,
  ])
  const terms = doubles.map((name, j) => angleSql(name, scales[j]!, j))
  if (exact.length > 0)
    terms.push(`toFloat64(cityHash64(${exact.join(', ')}) % ${TURN}) * ${number((2 * Math.PI) / TURN)}`)
  const angle = sum(terms)
  const read = async (from: string): Promise<readonly Answer[]> =>
    (await server.ask(`SELECT count(), sum(cos(${angle})), sum(sin(${angle})) FROM ${from}`))[0] ?? []
  const before = await read(table.from)
  return {
    async check(from = table.from) {
      const now = await read(from)
      if (now.every((value, k) => Math.abs(numberOf(value) - numberOf(before[k]!)) <= ROUNDING)) return
      const todo =
        'try again; where it is a query, it must give the same rows each time (no LIMIT without ORDER BY, no rand)'
      throw new RlviError(
        table.path,
        'rows that stay as they are during a fit are needed',
        phrase('others at its end'),
        todo,
      )
    },
  }
}

/** What sums of cosines may differ by if nothing changed. */
const ROUNDING = 1e-5
/** How far an angle turns where a value becomes e times as large. */
const SPEED = 1e4
/** Hashes become so many different angles. */
const TURN = 2 ** 32

/** A double as an angle: by its logarithm, and evenly about zero, where nothing but rounding may be left. */
function angleSql(name: string, scale: number, j: number): string {
  const value = doubleSql(name)
  const size = `(log(abs(${value}) + ${number(scale)}) - ${number(Math.log(scale))})`
  // Each column at a speed of its own: values that change places are noticed.
  const speed = SPEED * (1 + (((j + 1) * GOLDEN) % 1))
  const turned = choose(`${value} < ${number(0)}`, number(-speed), number(speed))
  return choose(`isNull(${clickhouse.name(name)}) OR isNaN(${value})`, number(j + 1), `${turned} * ${size}`)
}

const GOLDEN = (Math.sqrt(5) - 1) / 2

/** A thousandth of what is usual in each column: the geometric mean, which a few far values leave where it is. */
async function scalesOf({ server, from }: ClickhouseTable, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const logs = names.map((name) => {
    const value = doubleSql(name)
    const counts = `isNotNull(${clickhouse.name(name)}) AND isFinite(${value}) AND ${value} != ${number(0)}`
    return `avgIf(log(abs(${value})), ${counts})`
  })
  const [found = []] = await server.ask(`SELECT ${logs.join(', ')} FROM ${from}`)
  return found.map((log) => Math.max(Math.exp(numberOf(log) || 0) / 1000, Number.MIN_VALUE / Number.EPSILON))
}
