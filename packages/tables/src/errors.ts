import { phrase, RlviError } from 'rlvi'

/**
 * A CSV value far down the file does not fit the type that the first rows suggested. The remedy is to open the
 * file again and look at every row first.
 */
export class LateTypeError extends Error {
  override readonly name: string = 'LateTypeError'

  /** Where looking at every row did not help. */
  asBadInput(path: string): RlviError {
    return new RlviError(path, 'could not be read', phrase(firstWords(this.message)))
  }
}

/** DuckDB's errors as ours: the first line without its class, and no query of ours in it. */
export function fromDuckDB(path: string, error: unknown, rule: string): Error {
  if (error instanceof RlviError || error instanceof LateTypeError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/^Conversion Error: CSV Error/.test(message)) return new LateTypeError(message)
  return new RlviError(path, rule, phrase(firstWords(message)))
}

function firstWords(message: string): string {
  const lines = message
    .replace(/^([A-Z]\w+ )+Error: /, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Original Line'))
  const [first = '', second = ''] = lines
  if (first.startsWith('Error when sniffing file')) {
    return 'lines with different numbers of values, or a quote that does not end'
  }
  const line = /^CSV Error on Line/.test(first) ? `${first.replace('CSV Error on ', '')}: ${second}` : first
  return line.replace(/ in file '.*'$/, '').trim()
}
