import { areWords, type Cells, type WholeTexts } from '@rlvi/estimator'
import { columnIn, isOneOf, textSql } from './numeric.js'
import { quoteText } from './sql/duckdb.js'
import type { Part, Table } from './table.js'

/** Some texts of a column of names, sorted, and what all of its rows say. */
export interface SomeNames {
  readonly values: readonly string[]
  readonly whole: WholeTexts
}

/** In fewer rows texts are brought in no time. */
const MANY_ROWS = 20_000
/** So many of the rows that have a text have another one, where they are names. */
const DIFFERENT = 0.8
/** So many texts say what all of them are like. */
const SOME = 2000

/**
 * The columns, of those that hold texts, that name the rows: nearly every row has another text, which is like no number and no date.
 * No fit takes them, so that to count them is enough: to bring three million texts takes half a minute.
 */
export async function namesIn(
  table: Table,
  columns: readonly string[],
  rows: number,
  how: Cells,
): Promise<ReadonlyMap<string, SomeNames>> {
  const found = new Map<string, SomeNames>()
  if (rows < MANY_ROWS) return found
  for (const name of columns) {
    if (!(await mayBeNames(table, name))) continue
    const some = await counted(table, name, how)
    const { there, different } = some.whole
    const texts = some.values
    if (2 * there >= MANY_ROWS && different >= DIFFERENT * there && areWords(texts, how))
      found.set(name, some)
  }
  return found
}

/** By the first rows alone, which cost next to nothing. */
async function mayBeNames({ connection, parts }: Table, name: string): Promise<boolean> {
  const [first] = parts
  const texts = `select ${textSql(first!, name)} as text from ${first!.from} limit ${MANY_ROWS}`
  const sql = `select count(text), count(distinct text) from (${texts})`
  const [[there, different] = []] = (await connection.runAndReadAll(sql)).getRows()
  return Number(different) >= DIFFERENT * Number(there)
}

async function counted({ connection, parts }: Table, name: string, how: Cells): Promise<SomeNames> {
  const texts = parts.map((part) => `select ${namedSql(part, name, how)} as text from ${part.from}`)
  // Those with the smallest hashes: the same ones in whatever order rows come.
  const sql = `select count(text), count(distinct text), arg_min(text, hash(text), ${SOME}) from (${texts.join(' union all ')})`
  const [[there, different, some] = []] = (await connection.runAndReadAll(sql)).getRowsJson()
  const values = [...new Set((some ?? []) as string[])].sort()
  return { values, whole: { there: Number(there), different: Number(different) } }
}

/** The text of a row, null where it says that there is none. */
function namedSql(part: Part, name: string, { missing }: Cells): string {
  const text = textSql(part, name)
  const gap = isOneOf(`trim(${text})`, ['', ...missing.texts].map(quoteText))
  return `case when ${columnIn(part, name).alias} is null or ${gap} then null else ${text} end`
}

/** 1 where a row has a text, 0 where it says that there is none. */
export function isNamedSql(part: Part, name: string, how: Cells): string {
  return `(${namedSql(part, name, how)} is not null)::int::double`
}
