import { show } from 'rlvi'

/** A command line that cannot be meant: exit status 2. */
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
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value > 0 && value < 1)) throw new UsageError(flag, 'a number between 0 and 1 is needed', text)
  return value
}

export function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === text)
  if (found === undefined) throw new UsageError(flag, `one of ${allowed.join(', ')} is needed`, text)
  return found
}
