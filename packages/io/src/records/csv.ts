const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d

/** The end of a CSV record: where its newline is, or why there is none to be had. */
export type End = number | 'unfinished' | 'broken'

/**
 * Finds the newline that ends the record which begins at `at`: newlines inside quotes do not. `broken` is a quoted
 * value with something behind its closing quote.
 */
export function endOfRecord(bytes: Buffer, at: number, delimiter: number): End {
  let i = at
  for (;;) {
    // At the start of a value. A quote elsewhere in a value is a sign like any other: 5" nails.
    if (bytes[i] === QUOTE) {
      const close = closingQuote(bytes, i + 1)
      if (close < 0) return 'unfinished'
      i = close + 1
      if (bytes[i] === RETURN && bytes[i + 1] === NEWLINE) i++
      else if (bytes[i] === RETURN && i + 1 === bytes.length) return 'unfinished'
      if (i < bytes.length && bytes[i] !== delimiter && bytes[i] !== NEWLINE) return 'broken'
    } else {
      while (i < bytes.length && bytes[i] !== delimiter && bytes[i] !== NEWLINE) i++
    }
    if (i >= bytes.length) return 'unfinished'
    if (bytes[i] === NEWLINE) return i
    i++
  }
}

/** The next quote that is not doubled, or -1. A quote at the very end may yet be doubled by what follows. */
function closingQuote(bytes: Buffer, from: number): number {
  for (let i = bytes.indexOf(QUOTE, from); i >= 0; i = bytes.indexOf(QUOTE, i + 2)) {
    if (i + 1 === bytes.length) return -1
    if (bytes[i + 1] !== QUOTE) return i
  }
  return -1
}

/** The values of a CSV record, as a `splitter` gives it: quotes are taken off, doubled ones stand for one. */
export function fields(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter)
  const found: string[] = []
  let i = 0
  for (;;) {
    if (record[i] === '"') {
      let value = ''
      for (;;) {
        const close = record.indexOf('"', i + 1)
        value += record.slice(i + 1, close < 0 ? undefined : close)
        i = close < 0 ? record.length : close + 1
        if (record[i] !== '"') break
        value += '"'
      }
      found.push(value)
    } else {
      const next = record.indexOf(delimiter, i)
      found.push(record.slice(i, next < 0 ? undefined : next))
      i = next < 0 ? record.length : next
    }
    if (i >= record.length) return found
    i++
  }
}
