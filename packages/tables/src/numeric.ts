import { type CellRules, type Cells, cells } from '@rlvi/estimator'
import { quoteText } from './sql.js'
import type { Part, Table } from './table.js'

/** What all rows of a table say of some of its columns. */
export interface Contents {
  /** How many rows each part of the table has. */
  readonly rows: readonly number[]
  /** The columns that hold numbers in every row that has a value, and can be told apart as numbers. */
  readonly numeric: ReadonlySet<string>
}

/** From here on not every whole number is a double. */
const EXACT = 2 ** 53

/**
 * Looks at every row, by a scan of its own: a column of texts holds numbers where each is one, or says that there is none.
 * No other text is decided about here, so that what is misread by nobody is all that may be read by a database.
 */
export async function lookThrough(
  table: Table,
  names: readonly string[],
  rules: CellRules,
): Promise<Contents> {
  const read = cells(rules)
  const rows: number[] = []
  const numeric = new Set(names.filter((name) => isNumeric(table, name)))
  for (const part of table.parts) {
    const looked = [...numeric].map((name) => ({ name, value: numberSql(part, name, read) }))
    const asked = looked.flatMap(({ name, value }) => [words(part, name, value, read), `max(abs(${value}))`])
    const sql = `select ${['count(*)', ...asked].join(', ')} from ${part.from}`
    const [counts = []] = (await table.connection.runAndReadAll(sql)).getRows()
    rows.push(Number(counts[0]))
    for (const [k, { name, value }] of looked.entries()) {
      const largest = Number(counts[2 * k + 2] ?? 0)
      const isExact = largest < EXACT || (await areDistinct(table, part, name, value))
      if (Number(counts[2 * k + 1]) > 0 || !isExact) numeric.delete(name)
    }
  }
  return { rows, numeric }
}

/** In every part a number or a text, which may be one. */
function isNumeric({ parts }: Table, name: string): boolean {
  return parts.every((part) => ['number', 'text'].includes(columnIn(part, name).column.kind))
}

function columnIn({ columns }: Part, name: string): { column: Part['columns'][number]; alias: string } {
  const j = columns.findIndex((column) => column.name === name)
  return { column: columns[j]!, alias: `c${j}` }
}

/** A column as doubles: null for a text that is none, and for numbers that stand for missing values. */
export function numberSql(part: Part, name: string, { decimal, missing }: Cells): string {
  const { column, alias } = columnIn(part, name)
  const value = column.kind === 'number' ? `${alias}::double` : textAsNumber(`${alias}::varchar`, decimal)
  if (missing.numbers.length === 0) return value
  const gaps = missing.numbers.map((number) => `'${number}'::double`).join(', ')
  return `(case when ${value} in (${gaps}) then null else ${value} end)`
}

/** DuckDB takes 1_000 for a number; nobody else does. */
function textAsNumber(text: string, decimal: '.' | ','): string {
  if (decimal === '.')
    return `(case when contains(${text}, '_') then null else try_cast(${text} as double) end)`
  const odd = `contains(${text}, '_') or contains(${text}, '.')`
  return `(case when ${odd} then null else try_cast(replace(${text}, ',', '.') as double) end)`
}

/** How many rows hold neither a finite number nor a sign for a missing value. */
function words(part: Part, name: string, value: string, { missing }: Cells): string {
  const { column, alias } = columnIn(part, name)
  // What is typed as numbers has no words.
  if (column.kind === 'number') return '0'
  const found = `coalesce(isfinite(${value}), false)`
  const bare = `trim(${alias}::varchar)`
  const list = ['', ...missing.words].map(quoteText).join(', ')
  const gap = `${missing.anyCase ? `lower(${bare})` : bare} in (${list})`
  const number = missing.numbers.length === 0 ? '' : ` or ${gapNumber(`${alias}::varchar`, missing.numbers)}`
  return `count(*) filter (where ${alias} is not null and not (${found} or ${gap}${number}))`
}

function gapNumber(text: string, numbers: readonly number[]): string {
  const list = numbers.map((number) => `'${number}'::double`).join(', ')
  return `coalesce(try_cast(${text} as double) in (${list}), false)`
}

/** Whether no two long whole numbers of a column become the same double, as ids may. */
async function areDistinct({ connection }: Table, part: Part, name: string, value: string): Promise<boolean> {
  const { alias } = columnIn(part, name)
  const text = `trim(${alias}::varchar)`
  const long = `filter (where regexp_full_match(${text}, '[+-]?[0-9]{16,}'))`
  const sql = `select count(distinct ${text}) ${long}, count(distinct ${value}) ${long} from ${part.from}`
  const [[texts, numbers] = []] = (await connection.runAndReadAll(sql)).getRows()
  return Number(texts) === Number(numbers)
}

/** A column by its texts. */
export function textSql(part: Part, name: string): string {
  return `${columnIn(part, name).alias}::varchar`
}
