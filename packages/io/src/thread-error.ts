import { IoError, saysItself } from './errors.js'

/** An error as plain data. What one thread sends to another loses its class. */
export interface PlainError {
  readonly name: string
  readonly message: string
  readonly stack?: string
  /** Of an error that has the form of all errors here. */
  readonly where?: string
  readonly rule?: string
  readonly got?: string
}

const standard: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** What to send of an error to another thread, for `revivedError` there. */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  const plain = { name, message, ...(stack === undefined ? {} : { stack }) }
  if (!saysItself(error)) return plain
  return { ...plain, where: error.where, rule: error.rule, got: String(error.got) }
}

/** The error that it was: an `RlviError` for `instanceof`, one of JavaScript's own, or an `Error`. */
export function revivedError({ name, message, stack, where, rule, got }: PlainError): Error {
  const error =
    where === undefined || rule === undefined
      ? new (standard[name] ?? Error)(message)
      : new IoError(where, rule, got ?? '')
  error.message = message
  if (stack !== undefined) error.stack = stack
  return error
}
