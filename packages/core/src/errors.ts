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
  readonly todo: string | undefined

  constructor(where: string, rule: string, got: unknown, todo?: string) {
    super(cut(`${where}: ${rule}, got ${show(got)}${todo === undefined ? '' : `; ${todo}`}`, LONGEST_MESSAGE))
    this.where = where
    this.rule = rule
    this.got = got
    this.todo = todo
    Object.defineProperty(this, brand, { value: true })
  }

  /** Also those of another copy of this package, and of @rlvi/io, which knows no other package. */
  static override [Symbol.hasInstance](value: unknown): value is RlviError {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one has instances of its own
    if (this !== RlviError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** An error of a reader of bytes, who knows only what `kind` of file they are from, said of the file itself; others as they are. */
export function inFile(path: string, kind: string, error: unknown): unknown {
  if (!(error instanceof RlviError && error.where.startsWith(kind))) return error
  return new RlviError(path + error.where.slice(kind.length), error.rule, error.got, error.todo)
}

const spoken = Symbol.for('rlvi.phrase')

/** Words for an `RlviError` to show as they are, without quotes. */
export function phrase(words: string): unknown {
  return { [spoken]: words, toString: () => words }
}

/** A text in quotes, a name, a list: cut after so many signs. */
const LONGEST = 60
/** What a list or an object shows of itself, and how far down. */
const MOST = 6
const DEEPEST = 3
/** Labels or columns that a message names one by one. */
const LONGEST_LIST = 20
/** Words that we chose, with names from a file in them. */
const LONGEST_PHRASE = 2000
/** A whole message: it may name hundreds of columns. */
const LONGEST_MESSAGE = 20_000

/**
 * A value as an error message shows it: short, quoted, on one line. Whatever it is, and however deep: values come from files,
 * and nothing of them is called.
 */
export function show(value: unknown): string {
  return cut(shown(value, 0), LONGEST_PHRASE)
}

/** Values of a list, in the words of `show`: the first few, and how many more there are. */
export function showList(values: readonly unknown[]): string {
  const some = values.slice(0, LONGEST_LIST).map(show)
  const left = values.length - some.length
  return left > 0 ? `${some.join(', ')} and ${left} more` : some.join(', ')
}

function shown(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, LONGEST))
  if (typeof value === 'bigint') return cut(String(value), LONGEST)
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (spoken in value) return String(value[spoken])
  if (depth === DEEPEST) return '…'
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const list = value as ArrayLike<unknown>
    if (list.length > MOST) return `${list.length} values`
    return `[${Array.from(list, (one) => shown(one, depth + 1)).join(', ')}]`
  }
  if (value instanceof Date) return JSON.stringify(value)
  const names = Object.keys(value)
  const some = names.slice(0, MOST).map((name) => {
    return `${shown(name, depth)}:${shown((value as Record<string, unknown>)[name], depth + 1)}`
  })
  return `{${[...some, ...(names.length > MOST ? ['…'] : [])].join(',')}}`
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  // Not between the two halves of a sign.
  const half = /[\ud800-\udbff]/.test(text[longest - 1]!) ? 1 : 0
  return `${text.slice(0, longest - half)}…`
}
