import type { Cell, OutTable } from './write.js'

const LINES_AT_ONCE = 4096

/** How texts become cells. */
export interface CsvOptions {
  /** Puts an apostrophe before texts that a spreadsheet program would run as a formula. Default: they stay as they are. */
  readonly spreadsheetSafe?: boolean
  /** Called for each of them. */
  readonly onFormula?: () => void
  /** Whether the names come first. Default true. */
  readonly withNames?: boolean
}

/** The lines of a table as CSV, header first, in pieces of a few thousand lines. */
export function* csvLines(table: OutTable, options: CsvOptions = {}): Generator<string> {
  const { spreadsheetSafe = false, onFormula, withNames = true } = options
  const safe = (value: Cell): Cell => {
    if (typeof value !== 'string' || !isFormula(value)) return value
    onFormula?.()
    return spreadsheetSafe ? `'${value}` : value
  }
  let piece = withNames ? `${table.columns.map((column) => csvCell(safe(column.name))).join(',')}\n` : ''
  for (let i = 0; i < table.rows; i++) {
    for (let j = 0; j < table.columns.length; j++) {
      if (j > 0) piece += ','
      piece += csvCell(safe(table.columns[j]!.at(i)))
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

/**
 * Whether a spreadsheet program may take a text for a formula, which can read other cells and call other programs: by its first
 * sign. A number, also with a currency or percent sign or as 1.234,56, or a sign alone, is none.
 */
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]./s.test(text) && Number.isNaN(Number(text)) && !writtenNumber.test(text)
}

const writtenNumber = /^[+-]\s?[$€£¥₹]?\s?\d[\d.,']*\s?[%$€£¥₹]?$/
