import { type Cells, summaryBins } from '@rlvi/estimator'
import { collectOften } from '../collect.js'
import { columnIn, isOneOf } from '../numeric.js'
import { quoteText } from '../sql/duckdb.js'
import type { Column as FileColumn, Part, Table } from '../table.js'
import { hoursSql, ruledNumberSql } from './number-sql.js'
import type { Plan } from './plan.js'

/** With more different texts than this a column is no set of categories. */
export const MOST_TEXTS = 5000
/** With so few different numbers a target may hold labels. */
const MOST_LABELS = 20
export const DAY = 86_400

/** What the first scan says of a column. */
export interface First {
  /** Rows with a number or a date. */
  readonly there: number
  /** Rows with a text of any kind, and whether one has the sign by which the database, and nobody else, parts thousands. */
  readonly texts: number
  readonly parted: boolean
  readonly low: number
  readonly high: number
  /** About how many different values, where that matters. */
  readonly distinct: number
}

export interface Row {
  readonly rows: number
  readonly columns: readonly First[]
}

const isTyped = ({ kind }: FileColumn): boolean => kind === 'number' || kind === 'date'

const hasValues = ({ as }: Plan): boolean => as === 'number' || as === 'date'

/** The columns that a scan works on: each text as `t<j>`, each value as `v<j>`, made a number once. */
function inner(part: Part, plans: readonly Plan[], how: Cells): string {
  const gaps = how.missing.numbers.map((number) => `'${number}'::double`)
  const raw: string[] = ['0']
  const finite: string[] = ['0']
  plans.forEach((plan, j) => {
    const { column, alias } = columnIn(part, plan.name)
    // What has a type is either a value or missing, and need not be written out.
    raw.push(`${isTyped(column) ? alias : `${alias}::varchar`} as t${j}`)
    finite.push(`t${j}`)
    if (!hasValues(plan)) return
    const value =
      plan.as === 'date'
        ? daysSql(alias, plan.format, column.kind === 'text')
        : plan.format === 'clock'
          ? hoursSql(alias)
          : ruledNumberSql(alias, column, how)
    raw.push(`${value} as r${j}`)
    const counts = `isfinite(r${j})${gaps.length === 0 ? '' : ` and not ${isOneOf(`r${j}`, gaps)}`}`
    finite.push(`case when ${counts} then r${j} end as v${j}`)
  })
  return `(select ${finite.join(', ')} from (select ${raw.join(', ')} from ${part.from}))`
}

function daysSql(alias: string, format: string | undefined, isText: boolean): string {
  if (format === undefined) {
    // A zone may be written as +0200, with a blank before it.
    const zoned = `regexp_replace(${alias}::varchar, '\\s*([+-]\\d{2}):?(\\d{2})$', '\\1:\\2')`
    return `epoch(try_cast(${isText ? zoned : alias} as timestamp)) / ${DAY}`
  }
  const text = `trim(${alias}::varchar)`
  // Whole numbers may be written with a point.
  const bare = format.startsWith('%Y') ? `regexp_replace(${text}, '\\.0*$', '')` : text
  return `epoch(try_strptime(${bare}, ${quoteText(format)})) / ${DAY}`
}

export async function firstScan(table: Table, part: Part, plans: readonly Plan[], how: Cells): Promise<Row> {
  const asked = plans.flatMap((plan, j) => {
    if (!hasValues(plan)) {
      const many = plan.as === 'text' ? `approx_count_distinct(t${j})` : '0'
      return ['0', `count(t${j})`, 'false', '0', '0', many]
    }
    const isText = columnIn(part, plan.name).column.kind === 'text'
    const many = plan.isTarget ? `approx_count_distinct(v${j})` : '0'
    const parted = isText && plan.as === 'number' ? `bool_or(contains(t${j}, '_'))` : 'false'
    return [`count(v${j})`, `count(t${j})`, parted, `min(v${j})`, `max(v${j})`, many]
  })
  const sql = `select ${['count(*)', ...asked].join(', ')} from ${inner(part, plans, how)}`
  const [row = []] = (await table.connection.runAndReadAll(sql)).getRows()
  const number = (k: number): number => (row[k] === null ? Number.NaN : Number(row[k]))
  const columns = plans.map((_, j): First => {
    const at = 1 + 6 * j
    return {
      there: number(at),
      texts: number(at + 1),
      parted: row[at + 2] === true,
      low: number(at + 3),
      high: number(at + 4),
      distinct: number(at + 5),
    }
  })
  return { rows: number(0), columns }
}

export function together(parts: readonly First[]): First {
  const sum = (of: (part: First) => number): number => parts.reduce((total, part) => total + of(part), 0)
  const known = (values: number[]): number[] => values.filter((value) => !Number.isNaN(value))
  return {
    there: sum((part) => part.there),
    texts: sum((part) => part.texts),
    parted: parts.some((part) => part.parted),
    low: Math.min(...known(parts.map((part) => part.low))),
    high: Math.max(...known(parts.map((part) => part.high))),
    distinct: Math.max(...parts.map((part) => part.distinct)),
  }
}

export type Found = First & { readonly plan: Plan }

/** How often each part of a range, each number of a few, and each text that is no number occurs. */
export interface Counts {
  readonly values: ReadonlyMap<string, number>
  readonly texts: ReadonlyMap<string, number>
  /** Some of the numbers that stand among words: few, or too many for codes. */
  readonly among: ReadonlyMap<string, number>
}

export async function secondScan(
  table: Table,
  part: Part,
  found: readonly Found[],
  how: Cells,
): Promise<readonly Counts[]> {
  const plans = found.map(({ plan }) => plan)
  const scanned = inner(part, plans, how)
  const asked = found.flatMap((column, j): [string, string] => {
    const { plan, distinct, there, texts, parted } = column
    if (plan.as === 'text') return ['null', distinct > MOST_TEXTS ? 'null' : `histogram(t${j})`]
    if (!hasValues(plan)) return ['null', 'null']
    const odd = parted ? `v${j} is null or contains(t${j}, '_')` : `v${j} is null`
    const words =
      (texts > there || parted) && !isTyped(columnIn(part, plan.name).column)
        ? `histogram(t${j}) filter (where ${odd})`
        : 'null'
    return [isCounted(column) ? `histogram(v${j})` : 'null', words]
  })
  const isAsked = asked.some((sql) => sql !== 'null')
  const sql = `select ${asked.join(', ')} from ${scanned}`
  const [row = []] = isAsked ? (await table.connection.runAndReadAll(sql)).getRows() : [asked.map(() => null)]
  const binned = await binsOf(table, found, scanned)
  const counts: Counts[] = []
  for (const [j, { plan }] of found.entries()) {
    const texts = mapOf(row[2 * j + 1])
    const hasWords = plan.as === 'number' && [...texts.keys()].some((text) => how.kindOfText(text) === 'word')
    const among = hasWords ? await numbersAmong(table, part, plans, j, how) : new Map<string, number>()
    counts.push({ values: binned.get(j) ?? mapOf(row[2 * j]), texts, among })
  }
  return counts
}

/** Chunks of values after which those that are done with are freed. */
const CHUNKS = 64

/** How many values lie in each part of a column's range, counted here: to bring numbers costs less than a histogram by the database. */
async function binsOf(
  { connection }: Table,
  found: readonly Found[],
  scanned: string,
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  const columns = found.flatMap((column, j) => {
    const wide = (column.high - column.low) / summaryBins
    if (!hasValues(column.plan) || isCounted(column) || !(wide > 0)) return []
    return [{ j, wide, low: column.low, counts: new Float64Array(summaryBins) }]
  })
  if (columns.length > 0) {
    const values = columns.map(({ j }) => `coalesce(v${j}::double, 'nan'::double)`)
    const result = await connection.stream(`select ${values.join(', ')} from ${scanned}`)
    for (let chunks = 1; ; chunks++) {
      const chunk = await result.fetchChunk()
      // Asked for once: the database is asked each time.
      const rows = chunk?.rowCount ?? 0
      if (chunk === null || rows === 0) break
      columns.forEach(({ wide, low, counts }, k) => {
        // Its array is there for reading, but its types keep it private.
        const { items } = chunk.getColumnVector(k) as unknown as { readonly items: Float64Array }
        for (let i = 0; i < rows; i++) {
          const bin = Math.floor((items[i]! - low) / wide)
          // Of what is no number there is no bin.
          if (bin >= 0) counts[bin < summaryBins ? bin : summaryBins - 1]!++
        }
      })
      if (chunks % CHUNKS === 0) collectOften()
    }
  }
  const parts = (counts: Float64Array): [string, number][] =>
    Array.from(counts, (many, bin): [string, number] => [String(bin), many])
  return new Map(columns.map(({ j, counts }) => [j, new Map(parts(counts))]))
}

/** Beyond so many different numbers they are measured, not codes. */
const MOST_AMONG = 200

/** Numbers that stand among words: whether they are few says whether all are codes. */
async function numbersAmong(
  table: Table,
  part: Part,
  plans: readonly Plan[],
  j: number,
  how: Cells,
): Promise<Map<string, number>> {
  const sql = `select t${j}, count(*) from ${inner(part, plans, how)} where v${j} is not null group by all limit ${MOST_AMONG}`
  const rows = (await table.connection.runAndReadAll(sql)).getRows()
  return new Map(rows.map(([text, many]) => [String(text), Number(many)]))
}

/** Whether every single number of a target is counted, to see whether they are labels. */
export function isCounted({ plan, distinct }: Found): boolean {
  return plan.isTarget && plan.as === 'number' && distinct <= MOST_LABELS
}

function mapOf(value: unknown): Map<string, number> {
  const entries = (value as { entries?: readonly { key: unknown; value: unknown }[] } | null)?.entries ?? []
  return new Map(entries.map((entry) => [String(entry.key), Number(entry.value)]))
}
