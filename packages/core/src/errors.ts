const brand = Symbol.for('rlvi.error')

/**
 * Bad input. The message always reads `where: rule, got value`, followed by what to do about it,
 * so that it can be shown to a person as it is.
 */
export class RlviError extends Error {
  override readonly name: string = 'RlviError'
  readonly where: string
  readonly rule: string
  readonly got: unknown

  constructor(where: string, rule: string, got: unknown, todo?: string) {
    super(`${where}: ${rule}, got ${show(got)}${todo === undefined ? '' : `; ${todo}`}`)
    this.where = where
    this.rule = rule
    this.got = got
    Object.defineProperty(this, brand, { value: true })
  }

  /** Also those of another copy of this package, and of @rlvi/io, which knows no other package. */
  static override [Symbol.hasInstance](value: unknown): value is RlviError {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one has instances of its own
    if (this !== RlviError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** Words for an `RlviError` to show as they are, without quotes: it shows what has no JSON by its `toString`. */
export function phrase(words: string): unknown {
  return { toJSON: () => undefined, toString: () => words }
}

const LONGEST = 60

/** A value as an error message shows it: short, quoted, on one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') {
    const short = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
    return JSON.stringify(short)
  }
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const list = Array.from(value as ArrayLike<unknown>)
    return list.length > 6 ? `${list.length} values` : `[${list.map(show).join(', ')}]`
  }
  if (typeof value === 'function') return 'a function'
  return JSON.stringify(value) ?? String(value)
}
