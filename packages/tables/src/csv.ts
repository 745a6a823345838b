import type { Cell, OutTable } from './write.js'

const LINES_AT_ONCE = 4096

/** The lines of a table as CSV, header first, in pieces of a few thousand lines. */
export function* csvLines(table: OutTable): Generator<string> {
  let piece = `${table.columns.map((column) => csvCell(column.name)).join(',')}\n`
  for (let i = 0; i < table.rows; i++) {
    for (let j = 0; j < table.columns.length; j++) {
      if (j > 0) piece += ','
      piece += csvCell(table.columns[j]!.at(i))
    }
    piece += '\n'
    if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

/** Numbers as JavaScript writes them: the shortest text that reads back as the same number. */
function csvCell(value: Cell): string {
  if (value === null || Number.isNaN(value)) return ''
  if (typeof value !== 'string') return String(value)
  // An empty text must not read back as a missing value.
  if (value === '' || /[",;\t|\r\n#]|^\s|\s$/.test(value)) return `"${value.replaceAll('"', '""')}"`
  return value
}
