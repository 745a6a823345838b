/** The pieces of JSON: texts, signs, and what stands between them. */
const pieces = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/**
 * A number of a JSON object as it is written there: beyond 2^53 not every whole number is a double, and 1.10 would become
 * 1.1. The record is one that can be parsed, and has a number by that name; of several of the name the last counts, as it
 * does for `JSON.parse`.
 */
export function numberSource(record: string, name: string): string {
  let found = ''
  let depth = 0
  let key: string | undefined
  let isKey = false
  for (const [piece] of record.matchAll(pieces)) {
    if (piece === '{' || piece === '[') depth++
    else if (piece === '}' || piece === ']') depth--
    if (depth !== 1) continue
    if (piece === '{' || piece === ',') isKey = true
    else if (piece === ':') isKey = false
    else if (isKey) key = JSON.parse(piece)
    else if (key === name) found = piece
  }
  return found
}

/** A value as JSON, with all the digits that it came with. */
export function asWritten(value: unknown, record: string, name: string): string {
  const isPlain = typeof value !== 'number' || Number.isSafeInteger(value)
  return isPlain ? JSON.stringify(value) : numberSource(record, name)
}
