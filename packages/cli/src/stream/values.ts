import { show } from 'rlvi'

/** A value as a number, or what is wrong with it. Texts that are numbers count as such: CSV has no others. */
export function numberOf(value: unknown): number | string {
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : `a finite number is needed, got ${value}`
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return parsed(value)
  // A name that objects have of themselves, such as `constructor`, gives a function where the row has nothing.
  if (value === null || value === undefined || typeof value === 'function') return 'a value is missing'
  return `a number is needed, got ${show(value)}`
}

function parsed(text: string): number | string {
  const number = Number(text)
  // Number takes blanks for 0 and knows hexadecimal; a table has neither.
  if (Number.isFinite(number) && number !== 0 && !isOtherBase(text)) return number
  const bare = text.trim()
  if (bare === '' || missing.test(bare)) return 'a value is missing'
  if (isOtherBase(bare) || Number.isNaN(number)) {
    const truth = bare.toLowerCase()
    if (truth === 'true') return 1
    if (truth === 'false') return 0
    return `a number is needed, got ${show(text)}`
  }
  return Number.isFinite(number) ? number : `a finite number is needed, got ${show(text)}`
}

const missing = /^(na|n\/a|nan|null|none)$/i

function isOtherBase(text: string): boolean {
  const sign = text.charCodeAt(1) | 0x20
  return text.charCodeAt(0) === 0x30 && (sign === 0x78 || sign === 0x6f || sign === 0x62)
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
