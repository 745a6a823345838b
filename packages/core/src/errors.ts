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
  }
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
