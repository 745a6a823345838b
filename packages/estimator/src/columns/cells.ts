import { show } from 'rlvi'
import { type Missing, missing } from './missing.js'
import { type NumberRules, numberReader } from './number-text.js'

/** How the values of a table are read. */
export interface CellRules extends NumberRules {
  /** The texts that say that there is no value, in place of the usual ones; an empty one always does. */
  readonly missing?: readonly string[] | undefined
  /** Whether day or month comes first in dates with the year at their end; without it the dates must tell. */
  readonly dateOrder?: 'dmy' | 'mdy' | undefined
}

/** What is wrong with a value that is not there. */
export const missingValue = 'a value is missing'

/** What single values say: the one place where it is decided, for tables and for streams. */
export interface Cells {
  readonly missing: Missing
  readonly decimal: '.' | ','
  /** The rules that these values are read by. */
  readonly rules: CellRules
  /**
   * A value as a number, or what is wrong with it. Texts that are numbers count as such: CSV has no others. True and
   * false are 1 and 0.
   */
  numberOf(value: unknown): number | string
  /** What a text says of its column: that it holds numbers, that it holds words, or nothing. */
  kindOfText(text: string): 'number' | 'missing' | 'word'
  /** The place of a value among the labels, or -1. 1, "1", "1.0" and true are the same label. */
  labelOf(value: unknown, classes: readonly string[]): number
  /** Whether there is no label or category: nothing at all, or a text that says so beside those that are `known`. */
  isMissingLabel(value: unknown, known: readonly string[]): boolean
}

/** The reader of single values under these rules. */
export function cells(rules: CellRules = {}): Cells {
  const gap = missing(rules.missing)
  const decimal = rules.decimal ?? '.'
  const read = numberReader(rules)

  function numberOf(value: unknown): number | string {
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return `a finite number is needed, got ${value}`
      return gap.numbers.includes(value) ? missingValue : value
    }
    if (typeof value === 'boolean') return value ? 1 : 0
    if (typeof value === 'string') return parsed(value)
    // A name that objects have of themselves, such as `constructor`, gives a function where the row has nothing.
    if (value === null || value === undefined || typeof value === 'function') return missingValue
    return `a number is needed, got ${show(value)}`
  }

  function parsed(text: string): number | string {
    const number = read(text)
    if (Number.isFinite(number) && number !== 0 && !gap.numbers.includes(number)) return number
    // Number takes blanks for 0.
    if (gap.isNumber(text) || gap.numbers.includes(number)) return missingValue
    if (Number.isNaN(number)) {
      const bare = text.trim()
      if (isTruth(bare)) return bare.length === 4 ? 1 : 0
      return `a number is needed, got ${show(text)}`
    }
    return Number.isFinite(number) ? number : `a finite number is needed, got ${show(text)}`
  }

  function kindOfText(text: string): 'number' | 'missing' | 'word' {
    const number = numberOf(text)
    if (typeof number === 'string') return number === missingValue ? 'missing' : 'word'
    // A column of true and false has two categories.
    return isTruth(text.trim()) ? 'word' : 'number'
  }

  function labelOf(value: unknown, classes: readonly string[]): number {
    if (typeof value === 'object' || value === undefined) return -1
    const text = String(value)
    const found = classes.indexOf(text)
    if (found >= 0) return found
    const trimmed = classes.indexOf(text.trim())
    if (trimmed >= 0) return trimmed
    const number = numberOf(value)
    return typeof number === 'number' ? classes.findIndex((label) => numberOf(label) === number) : -1
  }

  function isMissingLabel(value: unknown, known: readonly string[]): boolean {
    if (value === null || value === undefined || typeof value === 'function') return true
    // A list or an object of a row of JSON, which may have a `toString` of its own that is none.
    if (typeof value === 'object') return false
    const numeric = known.every((label) => kindOfText(label) === 'number')
    return (numeric ? gap.isNumber : gap.isText)(String(value))
  }

  return { missing: gap, decimal, rules, numberOf, kindOfText, labelOf, isMissingLabel }
}

function isTruth(bare: string): boolean {
  return /^(?:true|false)$/i.test(bare)
}
