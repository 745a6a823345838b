import { show } from 'rlvi'
import { isMissingNumber, isMissingText } from './missing.js'

/** What is wrong with a value that is not there. */
export const missingValue = 'a value is missing'

/**
 * A value as a number, or what is wrong with it. Texts that are numbers count as such: CSV has no others. True and
 * false are 1 and 0.
 */
export function numberOf(value: unknown): number | string {
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : `a finite number is needed, got ${value}`
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return parsed(value)
  // A name that objects have of themselves, such as `constructor`, gives a function where the row has nothing.
  if (value === null || value === undefined || typeof value === 'function') return missingValue
  return `a number is needed, got ${show(value)}`
}

function parsed(text: string): number | string {
  const number = Number(text)
  // Number takes blanks for 0 and knows hexadecimal; a table has neither.
  if (Number.isFinite(number) && number !== 0 && !isOtherBase(text)) return number
  if (isMissingNumber(text)) return missingValue
  const bare = text.trim()
  if (isOtherBase(bare) || Number.isNaN(number)) {
    if (isTruth(bare)) return bare.length === 4 ? 1 : 0
    return `a number is needed, got ${show(text)}`
  }
  return Number.isFinite(number) ? number : `a finite number is needed, got ${show(text)}`
}

function isTruth(bare: string): boolean {
  return /^(?:true|false)$/i.test(bare)
}

function isOtherBase(text: string): boolean {
  const sign = text.charCodeAt(1) | 0x20
  return text.charCodeAt(0) === 0x30 && (sign === 0x78 || sign === 0x6f || sign === 0x62)
}

/** What a text says of its column: that it holds numbers, that it holds words, or nothing. */
export function kindOfText(text: string): 'number' | 'missing' | 'word' {
  const number = numberOf(text)
  if (typeof number === 'string') return number === missingValue ? 'missing' : 'word'
  // A column of true and false has two categories.
  return isTruth(text.trim()) ? 'word' : 'number'
}

/** The place of a value among the labels, or -1. 1, "1", "1.0" and true are the same label. */
export function labelOf(value: unknown, classes: readonly string[]): number {
  const text = typeof value === 'string' ? value : String(value)
  const found = classes.indexOf(text)
  if (found >= 0 || value === null || value === undefined) return found
  const trimmed = classes.indexOf(text.trim())
  if (trimmed >= 0) return trimmed
  const number = numberOf(value)
  return typeof number === 'number' ? classes.findIndex((label) => numberOf(label) === number) : -1
}

/** Whether there is no label or category: nothing at all, or a text that says so beside those that are `known`. */
export function isMissingLabel(value: unknown, known: readonly string[]): boolean {
  if (value === null || value === undefined || typeof value === 'function') return true
  const isMissing = known.every((label) => kindOfText(label) === 'number') ? isMissingNumber : isMissingText
  return isMissing(String(value))
}
