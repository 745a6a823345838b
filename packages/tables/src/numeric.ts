import { type CellRules, type Cells, cells, fortranNumber } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import { quoteText } from './sql/duckdb.js'
import type { Column, Part, Table } from './table.js'

/** What all rows of a table say of some of its columns. */
export interface Contents {
  /** How many rows each part of the table has. */
  readonly rows: readonly number[]
  /** The columns that hold numbers in every row that has a value, and can be told apart as numbers. */
  readonly numeric: ReadonlySet<string>
  /** Those of them that hold none. */
  readonly empty: ReadonlySet<string>
}

/** From here on not every whole number is a double. */
const EXACT = 2 ** 53

/**
 * Looks at every row, by a scan of its own: a column of texts holds numbers where each is one, or says that there is none.
 * All other columns are left to who knows more of texts than a database.
 */
export async function lookThrough(
  table: Table,
  names: readonly string[],
  rules: CellRules,
): Promise<Contents> {
  const how = cells(rules)
  const rows: number[] = []
  const numeric = new Set(names.filter((name) => mayBeNumeric(table, name)))
  const filled = new Set<string>()
  for (const part of table.parts) {
    const own = [...numeric].map((name) => columnIn(part, name))
    const looked: typeof own = []
    for (const one of own) {
      const some = isFloat(one.column) ? await firstNumber(table, part, one.alias, how) : undefined
      // A number that is no date says that the column holds none.
      if (some === undefined || mayBeDate(some)) looked.push(one)
      else filled.add(one.column.name)
    }
    const answers = await answersOf(table, part, looked, how)
    rows.push(answers.rows)
    for (const [k, { alias, column }] of looked.entries()) {
      const { most, words } = answers.columns[k]!
      const largest = Number(most ?? 0)
      if (most !== null) filled.add(column.name)
      const isExact = largest < EXACT || (await areDistinct(table, part, alias))
      if (words > 0 || !isExact) numeric.delete(column.name)
      if (
        column.kind === 'text' &&
        largest >= FIRST_TELEPHONE &&
        (await areTelephones(table, part, alias, how))
      )
        numeric.delete(column.name)
      if (mayBeDate(largest) && (await areDates(table, part, alias, column, how))) numeric.delete(column.name)
    }
  }
  return { rows, numeric, empty: new Set([...numeric].filter((name) => !filled.has(name))) }
}

/** Columns of one query: what a database takes to plan it grows faster than they do, to gigabytes for a thousand. */
const TOGETHER = 100

interface Answers {
  readonly rows: number
  readonly columns: readonly {
    /** Rows that hold neither a number nor a sign for a missing value. */
    readonly words: number
    /** The largest size of a number; null where there is none. */
    readonly most: number | null
  }[]
}

async function answersOf(
  { connection }: Table,
  part: Part,
  looked: readonly ReturnType<typeof columnIn>[],
  how: Cells,
): Promise<Answers> {
  const columns: Answers['columns'][number][] = []
  let rows = 0
  for (let from = 0; from === 0 || from < looked.length; from += TOGETHER) {
    const some = looked.slice(from, from + TOGETHER)
    // Each value is made a number once, below; what is asked about it is asked above.
    const inner = some.map(({ alias, column }) => `${alias}, ${numberSql(alias, column, how)} as v${alias}`)
    const asked = some.map(
      ({ alias, column }) =>
        `${words(alias, column, how)}, max(abs(v${alias})) filter (where ${isThere(`v${alias}`, how)})`,
    )
    const sql = `select ${['count(*)', ...asked].join(', ')} from (select ${['0', ...inner].join(', ')} from ${part.from})`
    const [[count, ...found] = []] = (await connection.runAndReadAll(sql)).getRows()
    rows = Number(count)
    for (let k = 0; k < found.length; k += 2) {
      const most = found[k + 1]
      columns.push({ words: Number(found[k]), most: most === null ? null : Number(most) })
    }
  }
  return { rows, columns }
}

const FIRST_DATE = 19000101
const LAST_DATE = 20991231
const FEWEST_DATES = 4
/** By what a date is multiplied that has hours, minutes and seconds in digits behind it. */
const TIMES = [1, 1e2, 1e4, 1e6]

/** By its size: 20200131 or 2020013108. */
function mayBeDate(number: number): boolean {
  return TIMES.some((by) => number >= by * FIRST_DATE && number < by * (LAST_DATE + 1))
}

/** Whether all values are dates in digits, such as 20200131: too many different ones for chance. What follows the day is left to who reads texts. */
async function areDates(
  { connection }: Table,
  { from }: Part,
  alias: string,
  column: Column,
  how: Cells,
): Promise<boolean> {
  const number = numberSql(alias, column, how)
  const day = `left(v::bigint::varchar, 8)`
  const isDate = `v >= ${FIRST_DATE} and v < 1e15 and v = floor(v) and try_strptime(${day}, '%Y%m%d') is not null`
  const asked = `count(distinct v), count(*) filter (where not coalesce(${isDate}, false))`
  const gaps = [`'nan'::double`, ...how.missing.numbers.map((gap) => `'${gap}'::double`)]
  const values = `select ${number} as v from ${from}`
  const sql = `select ${asked} from (${values}) where v is not null and not ${isOneOf('v', gaps)}`
  const [[different, others] = []] = (await connection.runAndReadAll(sql)).getRows()
  return Number(others) === 0 && Number(different) >= FEWEST_DATES
}

const FIRST_TELEPHONE = 1e7

/** Whether all values are numbers of telephones, with a plus in front of them. */
async function areTelephones(
  { connection }: Table,
  { from }: Part,
  alias: string,
  { missing }: Cells,
): Promise<boolean> {
  const text = `trim(${alias}::varchar)`
  const gaps = ['', ...missing.words].map(quoteText)
  const isGap = isOneOf(missing.anyCase ? `lower(${text})` : text, gaps)
  const odd = `not ${isGap} and not regexp_full_match(${text}, '\\+[0-9]{8,15}')`
  const found = await connection.runAndReadAll(`select 1 from ${from} where ${odd} limit 1`)
  return found.currentRowCount === 0
}

/** Whether a double is a number, and none that stands for a missing one. */
function isThere(value: string, { missing }: Cells): string {
  const gaps = missing.numbers.map((number) => `'${number}'::double`)
  return `isfinite(${value})${gaps.length === 0 ? '' : ` and not ${isOneOf(value, gaps)}`}`
}

/**
 * Whether a value is in a list. Not by IN: of five and more DuckDB makes a join, and then rows come in any order, while all that
 * says which row is which goes by their places.
 */
export function isOneOf(value: string, list: readonly string[]): string {
  return `list_contains([${list.join(', ')}], ${value})`
}

/** Numbers with a point, which no two different whole numbers share. */
function isFloat({ kind, type }: Column): boolean {
  return kind === 'number' && /^(?:DOUBLE|FLOAT)$/.test(type)
}

/** A number of a column, if it has any. */
async function firstNumber(
  { connection }: Table,
  { from }: Part,
  alias: string,
  how: Cells,
): Promise<number | undefined> {
  const number = `${alias}::double`
  const sql = `select ${number} from ${from} where ${isThere(number, how)} limit 1`
  const [[value] = []] = (await connection.runAndReadAll(sql)).getRows()
  return value === undefined ? undefined : Number(value)
}

/** In every part a number or a text, which may be one. */
function mayBeNumeric({ parts }: Table, name: string): boolean {
  return parts.every((part) => ['number', 'text'].includes(columnIn(part, name).column.kind))
}

export function columnIn(
  { columns }: Part,
  name: string,
): { readonly column: Column; readonly alias: string } {
  const j = columns.findIndex((column) => column.name === name)
  if (j < 0) throw new RlviError('read', 'columns of the table are needed', name, 'see `table.columns`')
  return { column: columns[j]!, alias: `c${j}` }
}

/** A column as doubles: null for a text that is none. */
export function numberSql(alias: string, { kind }: Column, { decimal }: Cells): string {
  if (kind === 'number') return `${alias}::double`
  const text = `${alias}::varchar`
  const pointed = decimal === '.' ? text : `replace(${text}, ',', '.')`
  // Few texts have the minus of typography or Fortran's D: only what is no number is looked through for them.
  const signed = `when contains(${text}, '\u2212') then try_cast(replace(${pointed}, '\u2212', '-') as double)`
  const isFortran = `contains(${text}, 'D') and regexp_full_match(${text}, ${quoteText(fortranNumber)})`
  const doubled = `when ${isFortran} then try_cast(replace(${pointed}, 'D', 'E') as double)`
  return `coalesce(try_cast(${pointed} as double), case ${signed} ${doubled} end)`
}

/** How many rows hold neither a finite number nor a sign for a missing value. */
function words(alias: string, column: Column, how: Cells): string {
  // What is typed as numbers has no words.
  return column.kind === 'number' ? '0' : `count(*) filter (where ${isWordSql(alias, `v${alias}`, how)})`
}

/** Whether a text is neither a finite number, which it is as `value`, nor a sign for a missing one. */
function isWordSql(alias: string, value: string, { missing, decimal }: Cells): string {
  const text = `${alias}::varchar`
  const list = ['', ...missing.words].map(quoteText)
  const gap = isOneOf(missing.anyCase ? `lower(trim(${text}))` : `trim(${text})`, list)
  // DuckDB takes 1_000 for a number; nobody else does. Beside decimal commas a point stands for thousands.
  const odd = [`contains(${text}, '_')`, ...(decimal === '.' ? [] : [`contains(${text}, '.')`])].join(' or ')
  return `case when isfinite(${value}) then ${odd} else not ${gap} end`
}

/** 1 where a column of texts has a word, 0 where it has a number or nothing. */
export function wordsSql(part: Part, name: string, how: Cells): string {
  const { column, alias } = columnIn(part, name)
  return `coalesce((${isWordSql(alias, numberSql(alias, column, how), how)})::int, 0)::double`
}

/** Whether no two long whole numbers of a column become the same double, as ids may. */
async function areDistinct({ connection }: Table, { from }: Part, alias: string): Promise<boolean> {
  const text = `trim(${alias}::varchar)`
  const long = `filter (where regexp_full_match(${text}, '[+-]?[0-9]{16,}'))`
  const sql = `select count(distinct ${text}) ${long}, count(distinct try_cast(${text} as double)) ${long} from ${from}`
  const [[texts, numbers] = []] = (await connection.runAndReadAll(sql)).getRows()
  return Number(texts) === Number(numbers)
}

/** A column of which `lookThrough` says that it is numeric, as doubles; NaN where there is none. */
export function numbersSql(part: Part, name: string, how: Cells): string {
  const { column, alias } = columnIn(part, name)
  const value = `coalesce(${numberSql(alias, column, how)}, 'nan'::double)`
  const gaps = how.missing.numbers.map((number) => `'${number}'::double`)
  return gaps.length === 0 ? value : `case when ${isOneOf(value, gaps)} then 'nan'::double else ${value} end`
}

/** A column by its texts. */
export function textSql(part: Part, name: string): string {
  return `${columnIn(part, name).alias}::varchar`
}
