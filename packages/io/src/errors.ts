const brand = Symbol.for('rlvi.error')

/**
 * A file that cannot be read or written, in the form of all errors here: `where: rule, got words; what to do`. It is an
 * `RlviError` for `instanceof` by a symbol that both know, since this package imports none.
 */
export class IoError extends Error {
  override readonly name: string = 'RlviError'
  readonly where: string
  readonly rule: string
  readonly got: string

  constructor(where: string, rule: string, got: string, todo?: string) {
    super(`${where}: ${rule}, got ${got}${todo === undefined ? '' : `; ${todo}`}`)
    this.where = where
    this.rule = rule
    this.got = got
    Object.defineProperty(this, brand, { value: true })
  }
}
