import type { Cells } from '@rlvi/estimator'
import { phrase, RlviError } from 'rlvi'
import { collectOften } from '../collect.js'
import { columnIn, isOneOf } from '../numeric.js'
import { quoteText } from '../sql/duckdb.js'
import type { Column as FileColumn, Part, Table } from '../table.js'
import { hashSql } from './head.js'
import { hoursSql, minutesSql, ruledNumberSql } from './number-sql.js'
import { NOTHING, NumberTally, PARTED, WORD } from './number-tally.js'
import type { Plan } from './plan.js'
import { TextTally } from './text-tally.js'

export const DAY = 86_400

/** What all rows said of a column: of texts by their hashes, of all else by numbers. */
export type Tally = { readonly plan: Plan } & (
  | { readonly texts: TextTally; readonly numbers?: never }
  | { readonly numbers: NumberTally; readonly texts?: never }
)

export function emptyTally(plan: Plan): Tally {
  return plan.as === 'text' ? { plan, texts: new TextTally() } : { plan, numbers: new NumberTally(plan) }
}

const isTyped = ({ kind }: FileColumn): boolean => kind === 'number' || kind === 'date'

const hasValues = ({ as }: Plan): boolean => as === 'number' || as === 'date'

/** The columns that a scan works on: each text as `t<j>`, made a number once as `r<j>`, and as `v<j>` where that counts. */
function inner(part: Part, plans: readonly Plan[], how: Cells, doubles: ReadonlySet<Plan> = none): string {
  const gaps = how.missing.numbers.map((number) => `'${number}'::double`)
  const raw: string[] = ['0']
  const finite: string[] = ['0']
  plans.forEach((plan, j) => {
    const { column, alias } = columnIn(part, plan.name)
    const isDouble = doubles.has(plan)
    // What has a type is either a value or missing, and need not be written out.
    raw.push(`${isDouble || isTyped(column) ? alias : `${alias}::varchar`} as t${j}`)
    finite.push(`t${j}`)
    if (!hasValues(plan)) return
    const value = isDouble ? alias : valueSql(alias, column, plan, how)
    raw.push(`${value} as r${j}`)
    const counts = `isfinite(r${j})${gaps.length === 0 ? '' : ` and not ${isOneOf(`r${j}`, gaps)}`}`
    finite.push(`r${j}`, `case when ${counts} then r${j} end as v${j}`)
  })
  const aliases = new Set([...doubles].map(({ name }) => columnIn(part, name).alias))
  const from = doubles.size > 0 ? part.doubles!.from(aliases) : part.from
  return `(select ${finite.join(', ')} from (select ${raw.join(', ')} from ${from}))`
}

const none: ReadonlySet<Plan> = new Set()

function valueSql(alias: string, column: FileColumn, { as, format }: Plan, how: Cells): string {
  if (as === 'date') return daysSql(alias, format, column.kind === 'text')
  if (format === 'clock') return hoursSql(alias)
  return format === 'minutes' ? minutesSql(alias) : ruledNumberSql(alias, column, how)
}

/** Columns that a text file's reader may take for doubles at once. */
function doublesAmong({ doubles }: Part, plans: readonly Plan[], how: Cells): ReadonlySet<Plan> {
  const { thousands, units = [] } = how.rules
  if (doubles === undefined || how.decimal !== '.' || thousands !== undefined || units.length > 0) return none
  return new Set(
    plans.filter(({ as, isPlain, format }) => as === 'number' && isPlain && format === undefined),
  )
}

function daysSql(alias: string, format: string | undefined, isText: boolean): string {
  if (format === undefined) {
    // A zone may be written as +0200, with a blank before it.
    const zoned = `regexp_replace(${alias}::varchar, '\\s*([+-]\\d{2}):?(\\d{2})$', '\\1:\\2')`
    const time = `try_cast(${alias} as timestamp)`
    return `epoch(${isText ? `coalesce(${time}, try_cast(${zoned} as timestamp))` : time}) / ${DAY}`
  }
  const text = `trim(${alias}::varchar)`
  // Whole numbers may be written with a point.
  const bare = format.startsWith('%Y') ? `regexp_replace(${text}, '\\.0*$', '')` : text
  return `epoch(try_strptime(${bare}, ${quoteText(format)})) / ${DAY}`
}

/** Bytes of values that may wait to be freed. */
const MOST_WAITING = 2 ** 26
/** Of a column of a chunk of 2048 rows. */
const CHUNK_BYTES = 2 ** 14

/**
 * One scan of all that is asked, counted here: a CSV file is parsed once, and to bring numbers costs less than the database's
 * histograms. The next rows are fetched while the last ones are counted. Returns the number of rows.
 *
 * @param isQuick - that columns of texts are numbers throughout if their first rows are: an error where that does not hold
 */
export async function count(
  { connection }: Table,
  part: Part,
  tallies: readonly Tally[],
  how: Cells,
  isQuick: boolean,
): Promise<number> {
  const plans = tallies.map(({ plan }) => plan)
  const doubles = isQuick ? doublesAmong(part, plans, how) : none
  const hasParted = doubles.size === 0 ? Promise.resolve(false) : part.doubles!.hasParted()
  const asked = plans.map((plan, j) => sentSql(part, plan, j, how, doubles))
  const result = await connection.stream(
    `select ${asked.join(', ')} from ${inner(part, plans, how, doubles)}`,
  )
  const every = Math.max(8, Math.floor(MOST_WAITING / (CHUNK_BYTES * tallies.length)))
  let total = 0
  let next = result.fetchChunk()
  for (let chunks = 1; ; chunks++) {
    const chunk = await next
    // Asked for once: the database is asked each time.
    const rows = chunk?.rowCount ?? 0
    if (chunk === null || rows === 0) break
    next = result.fetchChunk()
    // An error of it is heard when it is waited for.
    next.catch(() => undefined)
    tallies.forEach(({ texts, numbers }, k) => {
      // Its array is there for reading, but its types keep it private.
      const { items } = chunk.getColumnVector(k) as unknown as { readonly items: Float64Array }
      ;(texts ?? numbers).add(items, rows)
    })
    total += rows
    if (chunks % every === 0) collectOften()
  }
  if (await hasParted)
    throw new RlviError(part.path, 'digits without signs between them are needed', phrase('_'))
  return total
}

const double = (value: number): string => `'${value}'::double`

/** What is sent of a row: a finite number for what is there. What most rows are is asked first. */
function sentSql(part: Part, plan: Plan, j: number, how: Cells, doubles: ReadonlySet<Plan>): string {
  const nothing = `when t${j} is null then ${double(NOTHING)}`
  if (plan.as === 'text') return `case ${nothing} else ${hashSql(`t${j}`)} end`
  if (!hasValues(plan)) return `case ${nothing} else ${double(WORD)} end`
  // Of what has a type, what is no finite number is missing.
  if (isTyped(columnIn(part, plan.name).column) && how.missing.numbers.length === 0)
    return `coalesce(r${j}::double, ${double(NOTHING)})`
  const parted =
    mayBeParted(part, plan) && !doubles.has(plan) ? `when contains(t${j}, '_') then ${double(PARTED)}` : ''
  return `case ${parted} when v${j} is not null then v${j}::double ${nothing} else ${double(WORD)} end`
}

function mayBeParted(part: Part, plan: Plan): boolean {
  return plan.as === 'number' && columnIn(part, plan.name).column.kind === 'text'
}

/** Texts of a column: those that are no numbers, or all, and some of the numbers that stand among words: few, or too many for codes. */
export interface Texts {
  readonly texts: ReadonlyMap<string, number>
  readonly among: ReadonlyMap<string, number>
}

/** The texts that are spoken of by name, of one part of the table; mostly nothing must be asked for them. */
export async function textsOf(
  table: Table,
  part: Part,
  tallies: readonly Tally[],
  how: Cells,
): Promise<readonly Texts[]> {
  const plans = tallies.map(({ plan }) => plan)
  const asked = tallies.map((tally, j) => {
    const { plan, texts, numbers } = tally
    if (texts !== undefined)
      return texts.counts !== undefined && known(tally) === undefined ? `histogram(t${j})` : 'null'
    const isAsked = hasValues(plan) && !isTyped(columnIn(part, plan.name).column)
    const odd = mayBeParted(part, plan) ? `v${j} is null or contains(t${j}, '_')` : `v${j} is null`
    return isAsked && numbers.words + numbers.parted > 0 ? `histogram(t${j}) filter (where ${odd})` : 'null'
  })
  const isAsked = asked.some((sql) => sql !== 'null')
  const sql = `select ${asked.join(', ')} from ${inner(part, plans, how)}`
  const [row = []] = isAsked ? (await table.connection.runAndReadAll(sql)).getRows() : [asked.map(() => null)]
  const found: Texts[] = []
  for (const [j, { as }] of plans.entries()) {
    const texts = mapOf(row[j])
    const hasWords = as === 'number' && [...texts.keys()].some((text) => how.kindOfText(text) === 'word')
    found.push({
      texts,
      among: hasWords ? await numbersAmong(table, part, plans, j, how) : new Map<string, number>(),
    })
  }
  return found
}

/** Texts by name, where all of them were among the first rows. */
export function known({ plan, texts }: Tally): ReadonlyMap<string, number> | undefined {
  const counts = texts?.counts
  if (counts === undefined) return undefined
  const named: [string, number][] = []
  for (const [hash, many] of counts) {
    const text = plan.first.get(hash)
    if (text === undefined) return undefined
    named.push([text, many])
  }
  // As the database would give them.
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)))
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

function mapOf(value: unknown): Map<string, number> {
  const entries = (value as { entries?: readonly { key: unknown; value: unknown }[] } | null)?.entries ?? []
  return new Map(entries.map((entry) => [String(entry.key), Number(entry.value)]))
}
