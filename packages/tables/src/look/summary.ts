import {
  type Cells,
  type Column,
  type ColumnSummary,
  type ColumnUse,
  cells,
  dateRange,
  numberRange,
  type SummaryOptions,
  summariseColumn,
  summaryBins,
  type Words,
} from '@rlvi/estimator'
import { isList } from '../sources/nested.js'
import type { Plan } from './plan.js'
import { DAY, type Tally, type Texts } from './scans.js'
import type { TextTally } from './text-tally.js'

/** A summary like that of all rows, from what was counted of them. */
export function summaryOf(
  tally: Tally,
  { texts, among }: Texts,
  rows: number,
  options: SummaryOptions,
  words: Words | undefined,
): ColumnSummary {
  const { plan } = tally
  const { name } = plan
  const of = (column: Column): ColumnSummary => summariseColumn(name, column, options, words)
  const how = cells(options)
  if (tally.texts !== undefined)
    return tally.texts.there > 0 ? ofTexts(plan, tally.texts, texts, rows, how, of) : noValues(rows, of)
  const { there, low, high, singles, words: others } = tally.numbers
  if (plan.as === 'other') {
    const use = isList(plan.type)
      ? ({ as: 'left out', how: 'it holds lists' } as const)
      : ({ as: 'problem', how: 'numbers, texts, dates or true and false are needed' } as const)
    return { name, kind: 'other', rows, missing: rows - others, use }
  }
  const odd = new Map([...texts].filter(([text]) => how.kindOfText(text) !== 'missing'))
  if (there + total(odd) === 0) return noValues(rows, of)
  // Whoever says that a column holds numbers says that its words are missing values.
  if (odd.size > 0 && options.numbers?.includes(name) !== true) {
    const mixed = of(sampled(new Map([...odd, ...among]), plan.asText))
    // Which row it is in was not counted.
    const use = { ...mixed.use, how: mixed.use.how.replace(/ in row \d+/, '') }
    return { name, rows, missing: rows - there - total(odd), kind: 'mixed', top: topOf(odd), use }
  }
  const date = plan.as === 'date'
  // Whether they are labels is seen in every single number.
  const use =
    singles !== undefined && !date
      ? of(sampled(byName(singles), false)).use
      : of(date ? [isoText(low), isoText(high)] : Float64Array.of(low, high, low + (high - low) / 3)).use
  return {
    name,
    kind: date ? 'date' : 'number',
    rows,
    missing: rows - there,
    range: date ? dateRange(low, high) : numberRange(low, high),
    bins: tally.numbers.bins(summaryBins),
    use: inTimes(plan.format, use),
  }
}

/** Times are told as what they are counted in. */
function inTimes(format: string | undefined, use: ColumnUse): ColumnUse {
  if (use.as !== 'feature' || (format !== 'clock' && format !== 'minutes')) return use
  return { ...use, how: format === 'clock' ? 'hours' : 'minutes' }
}

function ofTexts(
  plan: Plan,
  { there: present, distinct, counts }: TextTally,
  texts: ReadonlyMap<string, number>,
  rows: number,
  how: Cells,
  of: (column: Column) => ColumnSummary,
): ColumnSummary {
  if (counts === undefined) {
    const many = Math.min(distinct, present)
    const some = Math.min(many, SAMPLE)
    const { use, ...rest } = of(different(some, Math.ceil(some * Math.min(2, present / many))))
    const told = { ...use, how: use.how.replace(`got ${some}`, `got about ${many}`) }
    // A sketch says about how many there are; that they are too many needs no more.
    return { ...rest, use: told, rows, missing: rows - present, kind: 'text', distinct: many, top: [] }
  }
  const there = new Map<string, number>()
  for (const [text, many] of texts)
    if (!how.missing.isText(text)) there.set(text.trim(), (there.get(text.trim()) ?? 0) + many)
  if (there.size === 0) return noValues(rows, of)
  const missing = rows - total(there)
  // Which text is the most frequent, or whether they are too many, is said by all rows.
  const whole = { there: total(there), different: there.size, counts: [...texts.values()] }
  const rowsOfEach = sampled(texts, plan.asText, plan.isTarget ? SAMPLE : COUNTED_SAMPLE)
  const { median: _, ...some } = of({ ...rowsOfEach, whole })
  if (some.kind !== 'text') {
    const gaps = new Map([...texts].filter(([text]) => how.kindOfText(text) === 'missing'))
    return { ...some, rows, missing: rows - present + total(gaps) }
  }
  return { ...some, rows, missing, distinct: there.size, top: topOf(there) }
}

function noValues(rows: number, of: (column: Column) => ColumnSummary): ColumnSummary {
  return { ...of(Float64Array.of(Number.NaN)), rows, missing: rows }
}

/** Rows that say what a fit makes of counted texts; fewer where it is told how many rows have each. */
const SAMPLE = 20_000
const COUNTED_SAMPLE = 2_000

/** A column in which each text is about as frequent as it was counted, but of fewer rows where there are many. */
function sampled(counts: ReadonlyMap<string, number>, asText: boolean, rows: number = SAMPLE): TextRows {
  const factor = Math.min(1, rows / Math.max(1, total(counts)))
  const codes = [...counts.values()].flatMap((many, code) =>
    new Array<number>(Math.max(1, Math.round(factor * many))).fill(code),
  )
  return { codes: Int32Array.from(codes), values: [...counts.keys()], asText }
}

interface TextRows {
  readonly codes: Int32Array
  readonly values: readonly string[]
  readonly asText: boolean
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

/** In the order of their values. */
function byName(singles: ReadonlyMap<number, number>): ReadonlyMap<string, number> {
  const sorted = [...singles].sort(([a], [b]) => a - b)
  return new Map(sorted.map(([value, many]) => [String(value), many]))
}

function isoText(days: number): string {
  return new Date(Math.round(days * DAY * 1000)).toISOString()
}
