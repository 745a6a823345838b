import type { DuckDBConnection } from '@duckdb/node-api'
import { isHeader } from '@rlvi/estimator'
import { delimiterOf, fields, namesOf, splitter } from '@rlvi/io'
import { phrase, RlviError, show, showList } from 'rlvi'
import { NotesBelow, OtherText } from '../errors.js'
import { quotePath, quoteText } from '../sql/duckdb.js'
import type { Column } from '../table.js'
import { type Above, belowRemarks, isRule, linesAbove, markedHeader } from './above.js'
import { linesBelow, sumsBelow } from './below.js'
import { bracketedNames } from './bracketed.js'
import { type HeaderLines, headerLines, namesFurtherDown } from './header-lines.js'
import { endsOtherwise } from './line-ends.js'
import { partedBy } from './parted.js'
import { hasParted } from './parted-digits.js'
import type { Source, TextOptions } from './source.js'

const LINES_TO_LOOK_AT = 100

/**
 * A CSV file as a table of texts. Nothing is left to be guessed from the first rows: delimiter, quotes and names are said,
 * and what a column holds is found out from all of them.
 */
export async function csvSource(
  connection: DuckDBConnection,
  file: string,
  path: string,
  options: TextOptions,
): Promise<Source> {
  const whole = await firstLines(connection, file)
  // Who says where the table begins, or what its first line is, has looked.
  const isOpen = options.skip === undefined && options.header === undefined
  const marked = isOpen ? markedHeader(whole, options.delimiter) : undefined
  const marks = marked === undefined ? whole : whole.with(marked.line, marked.text)
  const start = marked?.units === undefined ? marks : marks.with(marked.line - 1, marked.units)
  const parted =
    options.delimiter === undefined ? partedBy(belowRemarks(start.slice(options.skip))) : undefined
  if (parted !== undefined) throw new OtherText(path, false, parted)
  const found: Above =
    marked !== undefined
      ? { lines: marked.line }
      : options.skip === undefined
        ? linesAbove(start, options.delimiter)
        : { lines: options.skip }
  // An empty line above the names would be taken for them.
  const above: Above = { ...found, lines: found.lines + emptyAbove(start.slice(found.lines)) }
  const isRuled = isOpen && isRule(start[above.lines + 1] ?? '')
  const lines = start.slice(above.lines).filter((_, k) => !(isRuled && k === 1))
  const delimiter = options.delimiter ?? above.delimiter ?? delimiterOf(lines)
  const parts = records(lines, delimiter)
  const bracketed = isOpen ? bracketedNames(lines[0] ?? '', parts.slice(1), delimiter) : undefined
  const all = bracketed === undefined ? parts : [bracketed, ...parts.slice(1)]
  if (all[0] === undefined) throw new RlviError(path, 'a header and rows are needed', phrase('blank lines'))
  // Who says that there is a header says that it has one line; lines are counted, so none may go on in the next.
  const isLooked = options.header === undefined && isLineEach(lines, all, delimiter)
  const head: HeaderLines = isLooked ? headerLines(all) : { names: all[0], lines: 1 }
  // Names of groups may be years.
  const hasHeader = options.header ?? (isHeader(all[0]) || head.second?.is === 'names')
  const { names: given, second: secondLine, lines: high } = hasHeader ? head : { names: all[0], lines: 1 }
  const second = all[high]
  // An oscilloscope ends the header with a delimiter, and no other line.
  const isCut = hasHeader && given.at(-1)?.trim() === '' && areShorter(all.slice(high), given.length)
  const first = isCut ? given.slice(0, -1) : given
  // R's write.table gives row names, but no name to their column.
  const isLonger = hasHeader && second !== undefined && second.length === first.length + 1
  // Other programs end every line but the header with a delimiter.
  const isEnded = isLonger && second.at(-1)?.trim() === ''
  const unnamed = isLonger && !isEnded
  const named = unnamed ? ['', ...first] : isEnded ? [...first, ''] : first
  const cells = hasHeader ? named : first.map(() => '')
  const { names, renamed, index } = namesOf(cells)
  const below = await linesBelow(file, delimiter, names.length)
  if (below !== undefined) throw new NotesBelow(path, below)
  const remarks: string[] = []
  if (options.skip === undefined && found.lines > 0 && above.delimiter === undefined)
    remarks.push(
      `${path}: left out ${aboveText(start.slice(0, above.lines))} above the ${hasHeader ? 'header' : 'values'}; \`skip\` 0 reads from the first line`,
    )
  if (options.header === undefined && !hasHeader)
    remarks.push(`${path}: the first line holds values, no names: columns are called ${some(names)}`)
  if (secondLine?.is === 'units') {
    const which = high === 2 ? 'the second line, which has' : 'two lines below the names, which have'
    const units = showList(secondLine.cells.filter((cell) => cell.trim() !== ''))
    remarks.push(
      `${path}: left out ${which} units or further names (${units}); \`header\` yes keeps ${high === 2 ? 'it' : 'them'}`,
    )
  }
  if (secondLine?.is === 'questions')
    remarks.push(
      `${path}: left out the second and the third line, which have questions and ids; \`header\` yes keeps them`,
    )
  if (secondLine?.is === 'names')
    remarks.push(
      `${path}: the header has ${['two', 'three', 'four', 'five'][high - 2]} lines: columns are called ${showList(names)}`,
    )
  const further = isOpen && isLooked && hasHeader ? namesFurtherDown(all, high) : undefined
  if (further !== undefined) {
    const line = above.lines + further
    remarks.push(
      `${path}: line ${line + 1} has names, too (${showList(all[further]!.filter((cell) => cell.trim() !== ''))}): if the table begins there, \`skip\` ${line} leaves out what stands above it`,
    )
  }
  if (renamed.length > 0) remarks.push(`${path}: columns of the same name are called ${showList(renamed)}`)
  const sums = hasHeader && index !== undefined ? await sumsBelow(file, delimiter) : []
  if (sums.length > 0 && 2 * sums.length < all.length)
    remarks.push(
      `${path}: the last ${sums.length === 1 ? 'row is' : `${sums.length} rows are`} called ${showList(sums)}: what sums up other rows is none to learn from; take it out`,
    )
  const short = areOftenShort(all.slice(high), names.length)
  if (short)
    remarks.push(
      `${path}: many lines end before the last columns: what they lack is taken as missing, and a line that was cut off cannot be told from them`,
    )
  const body = lines.slice(high)
  const asText = quotedColumns(body, delimiter, names.length)
  const zeros = withZeros(body, delimiter, names.length)
  const thousands = withThousands(body, delimiter, names.length)
  const columns = names.map((name, j): Column => {
    const isIndex = hasHeader && name === index
    return {
      name,
      type: 'VARCHAR',
      kind: 'text',
      ...(asText[j] ? { asText: true } : {}),
      ...(zeros[j] ? { hasZeros: true } : {}),
      ...(thousands[j] === undefined ? {} : { mayBeThousands: thousands[j] }),
      ...(isIndex ? { isIndex } : {}),
    }
  })
  const isPlain =
    secondLine === undefined && marked === undefined && bracketed === undefined && !isCut && !isRuled
  const skip = above.lines + (isPlain ? 0 : high + (isRuled ? 1 : 0))
  const header = hasHeader && isPlain
  if (skip > 0 && (await endsOtherwise(file, skip))) throw new OtherText(path, false)
  const from = (doubles: ReadonlySet<string>): string => {
    const types = columns.map((_, j) => `'c${j}': '${doubles.has(`c${j}`) ? 'DOUBLE' : 'VARCHAR'}'`)
    return `read_csv(${quotePath(file)}, ${strictly(delimiter, skip)}, header = ${header}, null_padding = ${short}, columns = {${types.join(', ')}})`
  }
  const doubles = { from, hasParted: () => hasParted(file) }
  const own = header ? { header: lines[0]! } : {}
  return { from: from(new Set()), columns, doubles, ...own, remarks }
}

/** Whether all records have one value less. */
function areShorter(rows: readonly (readonly string[])[], width: number): boolean {
  return width > 2 && rows.length > 2 && rows.every((row) => row.length === width - 1)
}

/** Spreadsheets leave out delimiters at the end of lines, here and there; fewer such lines than these are mistakes. */
const FEWEST_SHORT = 3
const OFTEN = 0.1

/** Whether lines with too few values are no accident. */
function areOftenShort(rows: readonly (readonly string[])[], width: number): boolean {
  const there = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const short = there.filter((row) => row.length < width && 2 * row.length >= width)
  const isRagged = there.some((row) => row.length > width || 2 * row.length < width)
  return !isRagged && short.length >= Math.max(FEWEST_SHORT, OFTEN * there.length)
}

function strictly(delimiter: string, skip: number): string {
  const dialect = `delim = ${quoteText(delimiter)}, quote = '"', escape = '"', comment = ''`
  return `auto_detect = false, hive_partitioning = false, skip = ${skip}, ${dialect}`
}

/** Through DuckDB, which also knows compressed files. */
async function firstLines(connection: DuckDBConnection, file: string): Promise<string[]> {
  const whole =
    "auto_detect = false, strict_mode = false, delim = '\x1f', quote = '', escape = '', comment = ''"
  const from = `read_csv(${quotePath(file)}, ${whole}, header = false, columns = {'line': 'VARCHAR'})`
  const found = await connection.runAndReadAll(`select line from ${from} limit ${LINES_TO_LOOK_AT}`)
  return found.getRows().map(([line]) => (line === null ? '' : String(line)))
}

/** The columns whose first values are all in quotes, where those of others are not: so R writes texts and factors. */
function quotedColumns(lines: readonly string[], delimiter: string, width: number): boolean[] {
  // Values with quotes or delimiters in them are of no use here, and their lines are left out.
  const rows = lines.map((line) => line.split(delimiter))
  const whole = rows.filter((row) => row.length === width)
  const isQuoted = (cell: string): boolean => /^"[^"]*"$/.test(cell.trim())
  const there = Array.from({ length: width }, (_, j) =>
    whole.map((row) => row[j]!).filter((cell) => cell !== '' && cell !== 'NA'),
  )
  const quoted = there.map((cells) => cells.length > 0 && cells.every(isQuoted))
  // A column without values says nothing of the others.
  return quoted.every((is, j) => is || there[j]!.length === 0) ? quoted.map(() => false) : quoted
}

/** The columns with whole numbers that begin with a zero, as postcodes and other codes do. */
function withZeros(lines: readonly string[], delimiter: string, width: number): boolean[] {
  const rows = lines.map((line) => fields(line, delimiter))
  const whole = rows.filter((row) => row.length === width)
  return Array.from({ length: width }, (_, j) => whole.some((row) => /^\s*0\d+\s*$/.test(row[j]!)))
}

/**
 * Of columns whose points may part thousands, such a value: all points have three digits behind them, and either numbers below
 * a thousand have none, or values are parted as where commas stand before decimals.
 */
function withThousands(lines: readonly string[], delimiter: string, width: number): (string | undefined)[] {
  const rows = lines.map((line) => fields(line, delimiter)).filter((row) => row.length === width)
  return Array.from({ length: width }, (_, j) => {
    const there = rows
      .map((row) => row[j]!.replaceAll(/[\s$€£¥₹]|[a-z]{1,3}$/giu, ''))
      .filter((cell) => /^-?\d/.test(cell))
    const pointed = there.filter((cell) => cell.includes('.'))
    const isGrouped = pointed.every((cell) => /^-?[1-9]\d{0,2}\.\d{3}$/.test(cell))
    const hasSmall = there.length > pointed.length
    if (pointed.length < FEWEST_POINTS || !isGrouped || !(hasSmall || delimiter === ';')) return undefined
    // Thousandths that are whole numbers again and again would be odd; so would be a thousand without a point.
    const isWhole = there.every((cell) => cell.includes('.') || /^-?\d{1,3}$/.test(cell))
    return isWhole ? pointed[0] : undefined
  })
}

const FEWEST_POINTS = 3

/** The first records, which may be longer than a line. */
function records(lines: readonly string[], delimiter: string): string[][] {
  const found: string[][] = []
  const split = splitter({ bytes: 0, lines: 0, crc: 0 }, delimiter)
  split.take(Buffer.from(`${lines.join('\n')}\n`), (text) => {
    found.push(fields(text, delimiter))
  })
  return found
}

/** Whether the first three records have a line each. */
function isLineEach(
  lines: readonly string[],
  all: readonly (readonly string[])[],
  delimiter: string,
): boolean {
  return [0, 1, 2].every((k) => fields(lines[k] ?? '', delimiter).join() === all[k]?.join())
}

/** What was left out, by its first words. */
function aboveText(lines: readonly string[]): string {
  const [written = ''] = lines.filter((line) => line.trim() !== '')
  const first = written.trim().replace(/^"([^"]*)"$/, '$1')
  return `${lines.length} line${lines.length > 1 ? 's' : ''} (${show(first)}${lines.length > 1 ? ', …' : ''})`
}

/** How many lines without anything come first; none, where there is nothing else. */
function emptyAbove(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line.replace('\ufeff', '').trim() !== '')
  return first < 0 ? 0 : first
}

function some(names: readonly string[]): string {
  return names.length < 3 ? names.join(' and ') : `${names[0]} to ${names.at(-1)}`
}
