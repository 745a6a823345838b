import { type CellRules, type Cells, type SummaryOptions, summariseColumn } from '@rlvi/estimator'
import { LabelsBuilder } from '../labels.js'
import type { Table } from '../table.js'
import { dateFormat } from './date-format.js'
import { headOf } from './head.js'

/** What a column seems to hold. */
export interface Plan {
  readonly name: string
  readonly as: 'number' | 'date' | 'text' | 'other'
  /** How dates are written that do not begin with the year and a sign; `clock` and `minutes` for times without a date. */
  readonly format?: string
  /** Whether all of the first texts are numbers as every program writes them. */
  readonly isPlain: boolean
  readonly isTarget: boolean
  readonly asText: boolean
  /** Of what the database calls it. */
  readonly type: string
  /** Texts of the first rows, by their hashes. */
  readonly first: ReadonlyMap<number, string>
}

/** Texts to look at closely: the scan of all waits for that. */
const ENOUGH = 300

export async function plansOf(table: Table, options: SummaryOptions, how: Cells): Promise<Plan[]> {
  const heads = await headOf(table)
  return table.columns.map(({ name, kind, type, asText = false }, j): Plan => {
    const isTarget = name === options.target
    const { texts, byHash } = heads[j]!
    const plan = (as: Plan['as']): Plan => {
      const first = as === 'text' ? byHash() : new Map<number, string>()
      const isPlain = as === 'number' && texts.every((text) => text === null || plain.test(text))
      return { name, as, isPlain, isTarget, asText, type, first }
    }
    if (kind === 'other') return plan('other')
    if (kind === 'date') return plan(kind)
    const isNumber = options.numbers?.includes(name) === true
    // Whole numbers may be dates in digits; others need not be looked at.
    const mayBeDates = texts.length > 0 && texts.every((text) => text === null || compact.test(text))
    if (kind === 'number' && (isNumber || !mayBeDates)) return plan(kind)
    if (options.categories?.includes(name) || kind === 'boolean') return plan('text')
    const there = texts.filter((text): text is string => text !== null && !isGap(text, how))
    // So many of them say what all are, from the first to the last.
    const step = Math.ceil(there.length / ENOUGH)
    const some = there.filter((_, i) => i % step === 0)
    const builder = new LabelsBuilder(some.length)
    some.forEach((text, i) => {
      builder.set(i, text)
    })
    // What a fit makes of it is said at the end: that of a column that is left out takes no time here.
    const seems = summariseColumn(name, builder.finish(), { ...rulesOf(options), exclude: [name] }).kind
    // Times without a date are numbers, of hours or minutes, though no text is one.
    const isClock = seems === 'number' && firstKind(there, how) === 'word'
    if (isClock && !isNumber)
      return there.every(isTime)
        ? { ...plan('number'), format: there.some(hasParts) ? 'minutes' : 'clock' }
        : plan('text')
    if (seems === 'number' || seems === 'mixed' || isNumber) return plan('number')
    if (seems !== 'date') return plan('text')
    // The database reads dates that begin with the year; of others those that are written in a usual way.
    if (there.every((text) => /^\s*\d{4}-\d{1,2}-\d{1,2}/.test(text))) return plan('date')
    const format = dateFormat(there, options.dateOrder)
    return format === undefined ? plan('text') : { ...plan('date'), format }
  })
}

const plain = /^ *[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)? *$/i
const compact = /^\d{8,14}(?:\.0)?$/

function isTime(text: string): boolean {
  return /^\s*\d+:[\d:.,]+\s*$/.test(text)
}

/** Whether parts of a second stand behind minutes and seconds. */
function hasParts(text: string): boolean {
  return /^\s*\d+:\d+[.,]/.test(text)
}

/** Of a column of numbers, or of times, one says what all are. */
function firstKind(texts: readonly string[], { kindOfText }: Cells): ReturnType<Cells['kindOfText']> {
  const first = texts.find((text) => kindOfText(text) !== 'missing')
  return first === undefined ? 'missing' : kindOfText(first)
}

function rulesOf({ missing, decimal, thousands, units, dateOrder }: SummaryOptions): CellRules {
  return { missing, decimal, thousands, units, dateOrder }
}

function isGap(text: string, { missing }: Cells): boolean {
  return missing.isNumber(text) || missing.isText(text)
}
