import { UsageError, wholeNumber } from '../terminal/usage.js'

/** A text column whose values are given beforehand: a stream cannot be looked through for them. */
export interface Category {
  readonly name: string
  readonly values: readonly string[]
}

/** `COLUMN=A,B,C` */
export function category(flag: string, text: string): Category {
  const sign = text.indexOf('=')
  if (sign < 1) throw new UsageError(flag, 'COLUMN=A,B,C is needed', text)
  const values = names(flag, text.slice(sign + 1))
  if (values.length < 2) throw new UsageError(flag, 'at least two values are needed', text)
  return { name: text.slice(0, sign), values }
}

/** `A,B,C`, each once. */
export function names(flag: string, text: string): readonly string[] {
  const found = text.split(',').map((name) => name.trim())
  const twice = found.find((name, i) => found.indexOf(name) < i)
  if (twice !== undefined) throw new UsageError(flag, 'each name is given once', twice)
  if (found.includes('')) throw new UsageError(flag, 'names separated by commas are needed', text)
  return found
}

export function batchSize(flag: string, text: string): number {
  const size = wholeNumber(flag, text, 1)
  if (size > 1_000_000) throw new UsageError(flag, 'at most 1000000 rows are learned at once', text)
  return size
}

export function seconds(flag: string, text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  // Beyond a day a timer would overflow.
  if (value <= 86_400) return value
  throw new UsageError(flag, 'seconds, at most 86400, are needed', text)
}
