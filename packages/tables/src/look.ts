import {
  type CellRules,
  type Cells,
  type Column,
  type ColumnSummary,
  cells,
  type SummaryOptions,
  shortNumber,
  summariseColumn,
  summaryBins,
  type Words,
} from '@rlvi/estimator'
import { fromDuckDB } from './errors.js'
import { LabelsBuilder } from './labels.js'
import { columnIn, numberSql, textSql } from './numeric.js'
import type { Column as FileColumn, Part, Table } from './table.js'

/** A table at a glance. */
export interface TableLook {
  readonly rows: number
  readonly columns: readonly ColumnSummary[]
}

/** Rows that say what a column seems to hold; all rows then say whether it does. */
const HEAD = 2048
/** With more different texts than this a column is no set of categories. */
const MOST_TEXTS = 5000
/** With so few different numbers a target may hold labels. */
const MOST_LABELS = 20
const DAY = 86_400
/** Columns of one query, of which a database would need gigabytes to plan a thousand. */
const TOGETHER = 100

/**
 * The columns of a table at a glance, by two scans that the database counts in: no row is brought here but the first ones.
 *
 * @example
 * const { columns } = await withTable('stars.csv', {}, (table) => look(table, { target: 'log_light' }))
 */
export async function look(table: Table, options: SummaryOptions = {}, words?: Words): Promise<TableLook> {
  let path = table.path
  try {
    const how = cells(options)
    const all = await plansOf(table, options, how)
    let rows = 0
    const columns: ColumnSummary[] = []
    for (let from = 0; from === 0 || from < all.length; from += TOGETHER) {
      const found = await lookAt(all.slice(from, from + TOGETHER), how)
      rows = found.rows
      columns.push(...found.columns)
    }
    return { rows, columns }
  } catch (error) {
    throw fromDuckDB(path, error, 'could not be read')
  }

  async function lookAt(plans: readonly Plan[], how: Cells): Promise<TableLook> {
    const firsts: Row[] = []
    for (const part of table.parts) {
      path = part.path
      firsts.push(await firstScan(table, part, plans, how))
    }
    const rows = firsts.reduce((sum, row) => sum + row.rows, 0)
    const found = plans.map((plan, j) => ({ plan, ...together(firsts.map((row) => row.columns[j]!)) }))
    const seconds: (readonly Counts[])[] = []
    for (const part of table.parts) {
      path = part.path
      seconds.push(await secondScan(table, part, found, how))
    }
    const columns = found.map((column, j) => {
      const of = (which: keyof Counts): Map<string, number> => added(seconds.map((all) => all[j]![which]))
      const counts = { values: of('values'), texts: of('texts'), among: of('among') }
      return summaryOf(column, counts, rows, options, words)
    })
    return { rows, columns }
  }
}

/** What a column seems to hold. */
interface Plan {
  readonly name: string
  readonly as: 'number' | 'date' | 'text' | 'other'
  readonly isTarget: boolean
  readonly asText: boolean
}

async function plansOf(table: Table, options: SummaryOptions, how: Cells): Promise<Plan[]> {
  const [first] = table.parts
  const selected = first!.columns.map(({ name }) => textSql(first!, name))
  const head = await table.connection.runAndReadAll(
    `select ${selected.join(', ')} from ${first!.from} limit ${HEAD}`,
  )
  const texts = head.getRows() as (string | null)[][]
  return table.columns.map(({ name, kind, asText = false }, j): Plan => {
    const isTarget = name === options.target
    const plan = (as: Plan['as']): Plan => ({ name, as, isTarget, asText })
    if (kind === 'other') return plan('other')
    if (kind === 'number' || kind === 'date') return plan(kind)
    if (options.categories?.includes(name) || kind === 'boolean') return plan('text')
    const builder = new LabelsBuilder(texts.length)
    texts.forEach((row, i) => {
      builder.set(i, row[j] ?? null)
    })
    const seems = summariseColumn(name, builder.finish(), rulesOf(options)).kind
    if (seems === 'number' || seems === 'mixed' || options.numbers?.includes(name)) return plan('number')
    // The database reads dates that begin with the year; others are few enough to come by their texts.
    const ymd = texts.every(
      (row) => row[j] === null || how.missing.isText(row[j]!) || /^\s*\d{4}-/.test(row[j]!),
    )
    return plan(seems === 'date' && ymd ? 'date' : 'text')
  })
}

function rulesOf({ missing, decimal }: SummaryOptions): CellRules {
  return { missing, decimal }
}

/** What the first scan says of a column. */
interface First {
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

interface Row {
  readonly rows: number
  readonly columns: readonly First[]
}

const isTyped = ({ kind }: FileColumn): boolean => kind === 'number' || kind === 'date'

const hasValues = ({ as }: Plan): boolean => as === 'number' || as === 'date'

/** The columns that a scan works on: each text as `t<j>`, each value as `v<j>`, made a number once. */
function inner(part: Part, plans: readonly Plan[], how: Cells): string {
  const gaps = how.missing.numbers.map((number) => `'${number}'::double`).join(', ')
  const raw: string[] = ['0']
  const finite: string[] = ['0']
  plans.forEach((plan, j) => {
    const { column, alias } = columnIn(part, plan.name)
    // What has a type is either a value or missing, and need not be written out.
    raw.push(`${isTyped(column) ? alias : `${alias}::varchar`} as t${j}`)
    finite.push(`t${j}`)
    if (!hasValues(plan)) return
    const value =
      plan.as === 'date' ? `epoch(try_cast(${alias} as timestamp)) / ${DAY}` : numberSql(alias, column, how)
    raw.push(`${value} as r${j}`)
    const counts = `isfinite(r${j})${gaps === '' ? '' : ` and r${j} not in (${gaps})`}`
    finite.push(`case when ${counts} then r${j} end as v${j}`)
  })
  return `(select ${finite.join(', ')} from (select ${raw.join(', ')} from ${part.from}))`
}

async function firstScan(table: Table, part: Part, plans: readonly Plan[], how: Cells): Promise<Row> {
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

function together(parts: readonly First[]): First {
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

type Found = First & { readonly plan: Plan }

/** How often each part of a range, each number of a few, and each text that is no number occurs. */
interface Counts {
  readonly values: ReadonlyMap<string, number>
  readonly texts: ReadonlyMap<string, number>
  /** Some of the numbers that stand among words: few, or too many for codes. */
  readonly among: ReadonlyMap<string, number>
}

async function secondScan(
  table: Table,
  part: Part,
  found: readonly Found[],
  how: Cells,
): Promise<readonly Counts[]> {
  const asked = found.flatMap((column, j): [string, string] => {
    const { plan, low, high, distinct, there, texts, parted } = column
    if (plan.as === 'text') return ['null', distinct > MOST_TEXTS ? 'null' : `histogram(t${j})`]
    if (!hasValues(plan)) return ['null', 'null']
    const odd = parted ? `v${j} is null or contains(t${j}, '_')` : `v${j} is null`
    const words =
      (texts > there || parted) && !isTyped(columnIn(part, plan.name).column)
        ? `histogram(t${j}) filter (where ${odd})`
        : 'null'
    if (isCounted(column)) return [`histogram(v${j})`, words]
    const wide = (high - low) / summaryBins
    if (!(wide > 0)) return ['null', words]
    const bin = `least(${summaryBins - 1}, floor((v${j} - '${low}'::double) / '${wide}'::double))::utinyint`
    // The least of a number and nothing is the number.
    return [`histogram(${bin}) filter (where v${j} is not null)`, words]
  })
  const plans = found.map(({ plan }) => plan)
  const sql = `select ${asked.join(', ')} from ${inner(part, plans, how)}`
  const [row = []] = (await table.connection.runAndReadAll(sql)).getRows()
  const counts: Counts[] = []
  for (const [j, { plan }] of found.entries()) {
    const texts = mapOf(row[2 * j + 1])
    const hasWords = plan.as === 'number' && [...texts.keys()].some((text) => how.kindOfText(text) === 'word')
    const among = hasWords ? await numbersAmong(table, part, plans, j, how) : new Map<string, number>()
    counts.push({ values: mapOf(row[2 * j]), texts, among })
  }
  return counts
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
function isCounted({ plan, distinct }: Found): boolean {
  return plan.isTarget && plan.as === 'number' && distinct <= MOST_LABELS
}

function mapOf(value: unknown): Map<string, number> {
  const entries = (value as { entries?: readonly { key: unknown; value: unknown }[] } | null)?.entries ?? []
  return new Map(entries.map((entry) => [String(entry.key), Number(entry.value)]))
}

function added(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const out = new Map<string, number>()
  for (const map of maps) for (const [key, value] of map) out.set(key, (out.get(key) ?? 0) + value)
  return out
}

/** A summary like that of all rows, from what was counted of them. */
function summaryOf(
  found: Found,
  { values, texts, among }: Counts,
  rows: number,
  options: SummaryOptions,
  words: Words | undefined,
): ColumnSummary {
  const { plan, low, high } = found
  const { name } = plan
  const of = (column: Column): ColumnSummary => summariseColumn(name, column, options, words)
  if (plan.as === 'other') {
    const use = { as: 'problem', how: 'numbers, texts, dates or true and false are needed' } as const
    return { name, kind: 'other', rows, missing: rows - found.texts, use }
  }
  const how = cells(options)
  if (plan.as === 'text' && found.texts > 0) return ofTexts(found, texts, rows, how, of)
  const odd = new Map([...texts].filter(([text]) => how.kindOfText(text) !== 'missing'))
  const there = found.there - (found.parted ? total(odd) : 0)
  if (there + total(odd) === 0) return noValues(rows, of)
  // Whoever says that a column holds numbers says that its words are missing values.
  if (odd.size > 0 && options.numbers?.includes(name) !== true) {
    const mixed = of(sampled(new Map([...odd, ...among]), plan.asText))
    // Which row it is in was not counted.
    const use = { ...mixed.use, how: mixed.use.how.replace(/ in row \d+/, '') }
    return { name, rows, missing: rows - there - total(odd), kind: 'mixed', top: topOf(odd), use }
  }
  const date = plan.as === 'date'
  const text = date ? dayText : shortNumber
  const single = isCounted(found)
  const use = single
    ? of(sampled(values, false)).use
    : of(date ? [dayText(low), dayText(high)] : Float64Array.of(low, high, low + (high - low) / 3)).use
  return {
    name,
    kind: date ? 'date' : 'number',
    rows,
    missing: rows - there,
    range: [text(low), text(high)],
    bins: single ? binned(values, low, high) : binsOf(values, there),
    use,
  }
}

function ofTexts(
  { plan, texts: present, distinct }: Found,
  texts: ReadonlyMap<string, number>,
  rows: number,
  how: Cells,
  of: (column: Column) => ColumnSummary,
): ColumnSummary {
  if (distinct > MOST_TEXTS) {
    const many = of(different(Math.min(distinct, present), present))
    // A sketch says about how many there are; that they are too many needs no more.
    return { ...many, rows, missing: rows - present, kind: 'text', distinct, top: [] }
  }
  const there = new Map([...texts].filter(([text]) => !how.missing.isText(text)))
  if (there.size === 0) return noValues(rows, of)
  const missing = rows - total(there)
  const { median: _, ...some } = of(sampled(texts, plan.asText))
  if (some.kind !== 'text') return { ...some, rows, missing: rows - present }
  return { ...some, rows, missing, distinct: there.size, top: topOf(there) }
}

function noValues(rows: number, of: (column: Column) => ColumnSummary): ColumnSummary {
  return { ...of(Float64Array.of(Number.NaN)), rows, missing: rows }
}

/** Rows that say what a fit makes of counted texts. */
const SAMPLE = 20_000

/** A column in which each text is as frequent as it was counted, but of fewer rows where there are many. */
function sampled(counts: ReadonlyMap<string, number>, asText: boolean): Column {
  const factor = Math.min(1, SAMPLE / Math.max(1, total(counts)))
  const codes = [...counts.values()].flatMap((many, code) =>
    new Array<number>(Math.max(1, Math.round(factor * many))).fill(code),
  )
  return { codes: Int32Array.from(codes), values: [...counts.keys()], asText }
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const many of counts.values()) sum += many
  return sum
}

const MOST_FREQUENT = 8

function topOf(counts: ReadonlyMap<string, number>): { value: string; count: number }[] {
  const all = [...counts].map(([value, count]) => ({ value, count }))
  all.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return all.slice(0, MOST_FREQUENT)
}

/** A column of so many different texts. */
function different(many: number, rows: number): Column {
  return {
    codes: Int32Array.from({ length: rows }, (_, i) => i % many),
    values: Array.from({ length: many }, (_, k) => `text ${k}`),
  }
}

function binsOf(counts: ReadonlyMap<string, number>, there: number): number[] {
  if (counts.size === 0) return [there, ...new Array<number>(summaryBins - 1).fill(0)]
  return Array.from({ length: summaryBins }, (_, k) => counts.get(String(k)) ?? 0)
}

function binned(counts: ReadonlyMap<string, number>, low: number, high: number): number[] {
  const bins = new Array<number>(summaryBins).fill(0)
  const wide = (high - low) / summaryBins || 1
  for (const [value, many] of counts)
    bins[Math.min(summaryBins - 1, Math.floor((Number(value) - low) / wide))]! += many
  return bins
}

function dayText(days: number): string {
  return new Date(days * DAY * 1000).toISOString().slice(0, 10)
}
