import { IoError } from '../errors.js'
import { delimiterOf } from './delimiter.js'
import { LONGEST } from './records.js'

/** How rows are written: lines of JSON, or CSV with some sign between the values. */
export type Dialect = { readonly format: 'ndjson' } | { readonly format: 'csv'; readonly delimiter: string }

/**
 * Tells NDJSON from CSV by the first sign: an object begins with a brace. Undefined as long as more must come to know.
 *
 * @param name - of the source, for errors
 * @param start - its first bytes
 * @param ended - whether they are all of it
 * @param format - where it is known already, so that only CSV's delimiter is to be found
 * @param delimiter - where that is known, too
 * @throws IoError - a compressed file, UTF-16 or a JSON array, with the program that makes rows of it
 */
export function dialectOf(
  name: string,
  start: Buffer,
  ended: boolean,
  format: 'ndjson' | 'csv' | null,
  delimiter: string | null = null,
): Dialect | undefined {
  const first = (start[0] ?? 0) * 256 + (start[1] ?? 0)
  if (first === 0x1f8b)
    throw unreadable(name, 'a compressed file', `zcat ${name === 'stdin' ? 'FILE' : name} gives its rows`)
  if (first === 0xfffe || first === 0xfeff)
    throw unreadable(
      name,
      'UTF-16',
      'iconv -f UTF-16 -t UTF-8, or rlvi stream --encoding utf-16le, makes text of it',
    )
  if (format === 'ndjson') return { format }
  const marked = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf
  const text = start.toString('utf8', marked ? 3 : 0)
  const body = text.trimStart()
  if (body === '' && !ended && start.length <= LONGEST) return undefined
  if (format === null && body.startsWith('{')) return { format: 'ndjson' }
  if (format === null && body.startsWith('[')) {
    throw unreadable(name, 'a JSON array', "jq -c '.[]' makes rows of it")
  }
  if (delimiter !== null) return { format: 'csv', delimiter }
  // The header ends at the first newline outside quotes.
  let quotes = 0
  for (let i = 0; i < body.length; i++) {
    if (body[i] === '"') quotes++
    else if (body[i] === '\n' && quotes % 2 === 0)
      return { format: 'csv', delimiter: delimiterOf([body.slice(0, i)]) }
  }
  if (!ended && start.length <= LONGEST) return undefined
  return { format: 'csv', delimiter: delimiterOf([body]) }
}

function unreadable(name: string, got: string, todo: string): IoError {
  return new IoError(name, 'rows as CSV, or as a JSON object a line, are needed', got, todo)
}
