const brand = Symbol.for('rlvi.error')

/**
 * A file that cannot be read or written, in the form of all errors here: `where: rule, got words; what to do`. It is an
 * `RlviError` for `instanceof` by a symbol that both know, since this package imports none.
 */
export class IoError extends Error {
  override readonly name: string = 'RlviError'
  /** The file or the argument that the error is about. */
  readonly where: string
  /** What is needed, or what could not be done. */
  readonly rule: string
  /** What was found instead, in words. */
  readonly got: string
  /** What to do about it. */
  readonly todo: string | undefined

  constructor(where: string, rule: string, got: string, todo?: string) {
    super(`${where}: ${rule}, got ${got}${todo === undefined ? '' : `; ${todo}`}`)
    this.where = where
    this.rule = rule
    this.got = got
    this.todo = todo
    Object.defineProperty(this, brand, { value: true })
  }
}

/** An error in the form of all errors here: an `IoError`, or an `RlviError` of any kind. */
export function saysItself(
  error: unknown,
): error is Error & Pick<IoError, 'where' | 'rule'> & { readonly got: unknown } {
  return error instanceof Error && brand in error
}
