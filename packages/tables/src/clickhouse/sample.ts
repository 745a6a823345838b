import { type Cells, LabelCounts, type WholeTarget } from '@rlvi/estimator'
import { clickhouse } from '../sql/clickhouse.js'
import { number } from '../sql/dialect.js'
import { type Answer, numberOf } from '../sql/rows.js'
import { doubleSql, hasNumber, textSql } from './cells.js'
import { evenSample, hashSql } from './even-sample.js'
import type { Contents } from './source.js'

/** A column of some rows: numbers, NaN where there is none, or texts by their codes. */
type SampleColumn =
  | Float64Array
  | {
      readonly codes: Int32Array
      readonly values: readonly string[]
      readonly asText: boolean
      readonly whole: {
        readonly there: number
        readonly different: number
        readonly counts?: readonly number[]
        readonly complete?: readonly number[]
      }
    }

/** Some rows of a table that show all there is in it. */
export interface Sample {
  readonly columns: ReadonlyMap<string, SampleColumn>
  /** Which of them are the even sample. */
  readonly even: Int32Array
  readonly whole: WholeTarget
  /** By which the server knows each of them again, where they are all of the table; else none. */
  readonly hashes: readonly string[]
}

/** So many rows of a text, or with another number, where the sample has none. */
const EACH = 20
/** Whole numbers of so many different values can be labels: see `LabelCounts`. */
const MOST_LABELS = 21

/** An even sample, and rows with texts, labels and other numbers of columns that are constant among those. */
export async function sampleOf(
  contents: Contents,
  names: readonly string[],
  target: string | undefined,
  how: Cells,
): Promise<Sample> {
  const { table, rows: total, numeric, texts, complete } = contents
  const columns = itemsOf(contents, names)
  const items = [...columns, `toUInt8(${complete})`]
  const rows = await evenSample(contents, items, hashSql(columns))
  const even = Int32Array.from(rows.keys())
  const few = async (where: string, by = ''): Promise<void> => {
    const order = `ORDER BY ${hashSql(columns)} LIMIT ${EACH}${by}`
    rows.push(
      ...(await table.server.ask(`SELECT ${items.join(', ')} FROM ${table.from} WHERE ${where} ${order}`)),
    )
  }
  const labels = await labelsOf(contents, target, how)
  for (const [j, name] of names.entries()) {
    if (even.length === total) break
    const seen = new Set(rows.map((row) => row[j]!))
    const whole = new Set(rows.filter((row) => Number(row[names.length]) === 1).map((row) => row[j]!))
    if (!numeric.has(name)) {
      const { values = [], complete: counts = [] } = texts.get(name)!
      const unseen = values.filter((text, k) => counts[k]! > 0 && !whole.has(text)).map(clickhouse.text)
      if (unseen.length > 0)
        await few(`${textSql(name)} IN (${unseen.join(', ')}) AND ${complete}`, ` BY ${textSql(name)}`)
      continue
    }
    if (name === target && !labels.isMeasured)
      for (const label of labels.counts.keys())
        if (!whole.has(label)) await few(`${doubleSql(name)} = ${number(label)} AND ${complete}`)
    // What is constant among these rows, or among those that miss nothing, is so in the whole table.
    for (const [cells, where] of [
      [seen, hasNumber(name, how)],
      [whole, `${hasNumber(name, how)} AND ${complete}`],
    ] as const) {
      const values = [...cells].filter((cell) => cell !== null && !how.missing.numbers.includes(Number(cell)))
      if (values.length > 1) continue
      const other = values.map((value) => ` AND ${doubleSql(name)} != ${number(numberOf(value))}`)
      await few(`${where}${other.join('')}`)
    }
  }
  const [[completeRows = 0] = []] = await table.server.ask(
    `SELECT count() FROM ${table.from} WHERE ${complete}`,
  )
  return {
    columns: new Map(
      names.map((name, j) => [
        name,
        columnOf(
          contents,
          name,
          rows.map((row) => row[j]!),
          how,
        ),
      ]),
    ),
    even,
    hashes: even.length === total ? rows.map((row) => String(row.at(-1))) : [],
    whole: { rows: Number(completeRows), numbers: labels, filled: contents.filled },
  }
}

/** Columns as they come here. */
export function itemsOf({ numeric }: Contents, names: readonly string[]): string[] {
  return names.map((name) => {
    const column = clickhouse.name(name)
    return numeric.has(name) ? `toFloat64(${column})` : `toString(${column})`
  })
}

function columnOf(
  { numeric, texts, table }: Contents,
  name: string,
  cells: readonly Answer[],
  how: Cells,
): SampleColumn {
  if (numeric.has(name)) {
    const gaps = how.missing.numbers
    return Float64Array.from(cells, (cell) => {
      const value = numberOf(cell)
      return gaps.includes(value) ? Number.NaN : value
    })
  }
  const { values, ...whole } = texts.get(name)!
  const known = new Map((values ?? []).map((value, k) => [value, k]))
  const codes = Int32Array.from(cells, (cell) => {
    if (cell === null) return -1
    const text = String(cell)
    if (!known.has(text)) known.set(text, known.size)
    return known.get(text)!
  })
  const asText = table.columns.some((column) => column.name === name && column.asText)
  return { codes, values: [...known.keys()], asText, whole }
}

/** The numbers of a target, as far as they can be labels. */
async function labelsOf(
  { table, numeric, complete }: Contents,
  target: string | undefined,
  how: Cells,
): Promise<LabelCounts> {
  const labels = new LabelCounts()
  if (target === undefined || !numeric.has(target)) return labels
  const value = doubleSql(target)
  const found = await table.server.ask(
    `SELECT ${value}, count() FROM ${table.from} WHERE ${hasNumber(target, how)} AND ${complete} GROUP BY ${value} LIMIT ${MOST_LABELS}`,
  )
  for (const [label, count] of found) {
    if (!labels.add(numberOf(label!))) break
    labels.counts.set(numberOf(label!), Number(count))
  }
  return labels
}
