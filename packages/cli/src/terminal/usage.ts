import { extname } from 'node:path'
import { show } from 'rlvi'
import { nearest } from './names.js'

/** An invalid command line: exit status 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'

  constructor(where: string, rule: string, got: unknown, todo?: string) {
    super(`${where}: ${rule}, got ${show(got)}${todo === undefined ? '' : `; ${todo}`}`)
  }
}

export function wholeNumber(flag: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UsageError(flag, `a whole number of at least ${least} is needed`, text)
  }
  return value
}

/** A number strictly between 0 and 1. */
export function share(flag: string, text: string): number {
  const value = numberOf(text)
  if (!(value > 0 && value < 1)) throw new UsageError(flag, 'a number between 0 and 1 is needed', text)
  return value
}

/** A finite number from 0. */
export function amount(flag: string, text: string): number {
  const value = numberOf(text)
  if (!(value >= 0 && Number.isFinite(value)))
    throw new UsageError(flag, 'a number of at least 0 is needed', text)
  return value
}

export function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === text)
  if (found !== undefined) return found
  const near = nearest(text, allowed)
  const todo = near === undefined ? undefined : `did you mean ${near}?`
  throw new UsageError(flag, `one of ${allowed.join(', ')} is needed`, text, todo)
}

/** The name of a file whose ending says its format. */
export function fileName(flag: string, text: string, endings: readonly string[]): string {
  if (endings.includes(extname(text).toLowerCase())) return text
  throw new UsageError(flag, `a file name that ends in ${endings.join(' or ')} is needed`, text)
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}
