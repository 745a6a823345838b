import { isHeader } from '@rlvi/estimator'
import { delimiterOf, fields } from '@rlvi/io'

/** Titles are short: what goes on for longer is a table of another form. */
const MOST_LINES = 40
const FEWEST_LINES = 3

/** Lines above the header that are no part of the table: how many, and the delimiter where one of them says it. */
export interface Above {
  readonly lines: number
  readonly delimiter?: string
}

/**
 * Finds a title, remarks that begin with `#`, or Excel's `sep=;` above the header of CSV: lines with one value, where all that
 * follow have several. What could be part of a header that goes over several lines is left alone.
 */
export function linesAbove(lines: readonly string[], given: string | undefined): Above {
  const says = /^\ufeff?"?sep=(.|\\t)"?$/i.exec(lines[0]?.trimEnd() ?? '')?.[1]
  if (says !== undefined) return { lines: 1, delimiter: says === '\\t' ? '\t' : says }
  // A logger's line about itself, with a width of its own.
  if (/^\ufeff?"?TOA5"?,/.test(lines[0] ?? '')) return { lines: 1 }
  // A potentiostat counts its lines, of which the last is the header.
  const counted = Number(/^Nb header lines : (\d+)/m.exec(lines.slice(0, 3).join('\n'))?.[1] ?? 0)
  if (counted > 1 && counted < lines.length) return { lines: counted - 1 }
  const rest = lines
    .slice(Math.min(MOST_LINES, Math.floor(lines.length / 2)))
    .filter((line) => line.trim() !== '')
  // Too few lines say nothing of what their delimiter is.
  if (rest.length < FEWEST_LINES) return { lines: 0 }
  const delimiter = given ?? delimiterOf(rest)
  const width = commonest(rest.map((line) => fields(line, delimiter).length))
  if (width < 2 || (given === undefined && partedWider(lines, width))) return { lines: 0 }
  const found = remarksAbove(lines, delimiter, width) || titlesAbove(lines, delimiter, width)
  return { lines: found > 0 ? found : otherAbove(lines, delimiter, width) }
}

/** Whether a sign parts all lines alike, from the first on, into more values: then another one is part of a value, and nothing is above. */
function partedWider(lines: readonly string[], width: number): boolean {
  const own = delimiterOf(lines)
  const [first = 0, ...others] = lines
    .filter((line) => line.trim() !== '')
    .map((line) => fields(line, own).length)
  return first > width && others.every((count) => count === first)
}

/** As numpy and instruments write them, and by a percent sign MATLAB; without a blank behind it that may be part of a name. */
const remark = /^\s*(?:#|%+\s)/

/** Whether a line is drawn and has nothing in it, as databases and SAP draw one below the names, and as tables of Markdown have it. */
export function isRule(line: string): boolean {
  return /^[\s|+:=_─-]+$/.test(line) && /-{3}|={3}|_{3}|─{3}/.test(line)
}

/** The lines from the first on that is no remark. */
export function belowRemarks(lines: readonly string[]): readonly string[] {
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => !remark.test(line)),
    ),
  )
}

const mark = /^\s*(?:#+|%+(?=\s))\s*/

/** Whether a line has a name for every column, and no name twice. */
function areNames(line: string, delimiter: string, width: number): boolean {
  const cells = fields(line, delimiter)
  return cells.length === width && isHeader(cells) && new Set(cells).size === width
}

const saysFields = /^#fields(?::\s*|\t)/i

/**
 * A header that begins with `#`, as numpy and instruments write it: the last of the lines at the beginning that do, where it
 * has a name for every column of the lines below it, the one above it where that has units, or the one that says `#fields`. The place
 * of the last, and the names; the units, which take the place of the names.
 */
export function markedHeader(
  lines: readonly string[],
  given: string | undefined,
): { readonly line: number; readonly text: string; readonly units?: string } | undefined {
  const first = lines.findIndex((line) => !remark.test(line))
  if (first < 1 || first > MOST_LINES) return undefined
  const rest = lines.slice(first).filter((line) => line.trim() !== '')
  if (rest.length < FEWEST_LINES) return undefined
  const delimiter = given ?? delimiterOf(rest)
  const width = commonest(rest.map((line) => fields(line, delimiter).length))
  // Logs of networks and of web servers say which of the lines has the names.
  const named = lines.slice(0, first).find((line) => saysFields.test(line))
  const [above = '', last = ''] = [first - 2, first - 1].map((k) => lines[k]?.replace(mark, ''))
  // Units come again in a line of their own below the names, which do not.
  const isBelowNames = areNames(above, delimiter, width) && !areNames(last, delimiter, width)
  const text = named?.replace(saysFields, '') ?? (isBelowNames ? above : last)
  const cells = fields(text, delimiter)
  const isOne =
    width > 1 && cells.length === width && isHeader(cells) && !isHeader(fields(rest[0]!, delimiter))
  return isOne ? { line: first - 1, text, ...(isBelowNames ? { units: lines[first - 1]! } : {}) } : undefined
}

/** Lines that begin with `#`, of any width, above a header that does not: what a database says of its columns. */
function remarksAbove(lines: readonly string[], delimiter: string, width: number): number {
  const first = lines.findIndex((line) => !remark.test(line))
  if (first < 1 || first > MOST_LINES) return 0
  const [header, next] = lines.slice(first, first + 2).map((line) => fields(line, delimiter))
  // Below names there are numbers: otherwise the last remark may have the names, and rows follow.
  const isOne = header?.length === width && isHeader(header) && next?.length === width && !isHeader(next)
  return isOne ? first : 0
}

/** Lines with one value, or few, above a header with several. */
function titlesAbove(lines: readonly string[], delimiter: string, width: number): number {
  let count = 0
  let titles = 0
  for (const line of lines.slice(0, MOST_LINES)) {
    if (hasOpenQuote(line)) return 0
    const cells = fields(line, delimiter)
    const isTitle = isTitled(cells, width)
    const isBlank = cells.every((cell) => cell.trim() === '')
    if (!isTitle && !isBlank) {
      const isNext = cells.length >= width - 1 && isHeader(cells)
      // Remarks stand above values, too.
      const isMarked = lines.slice(0, count).every((own) => own.trim() === '' || remark.test(own))
      return titles > 0 && (isNext || (isMarked && cells.length === width)) ? count : 0
    }
    if (isTitle) titles++
    count++
  }
  return 0
}

/**
 * Lines of any other width, as instruments write what they were set to, above a header from which on all lines are alike. One
 * that could be a header with too few names, or lines with nothing short among them and no empty line below, are left to be
 * told as errors.
 */
function otherAbove(lines: readonly string[], delimiter: string, width: number): number {
  const widths = lines.map((line) => (line.trim() === '' ? 0 : fields(line, delimiter).length))
  const last = widths.findLastIndex((own) => own !== width && own !== 0)
  const start = last + 1 + widths.slice(last + 1).indexOf(width)
  const above = lines.slice(0, start)
  // One line alone with more values than all others names no columns: it says what the file is.
  const isWider = last === 0 && widths[0]! > width + 1 && !isHeader(fields(lines[0]!, delimiter))
  const isAlone = last === 0 && !isWider && widths[1] !== 0
  if (last < 0 || isAlone || start > MOST_LINES) return 0
  if (above.some(hasOpenQuote) || widths[last] === width - 1) return 0
  const isApart =
    isWider || widths[start - 1] === 0 || widths.slice(0, start).some((own) => own > 0 && 2 * own <= width)
  const header = fields(lines[start]!, delimiter)
  const next = fields(lines.slice(start + 1).find((line) => line.trim() !== '') ?? '', delimiter)
  // Below names there are numbers: a row of texts may look like names.
  return isApart && isHeader(header) && !isHeader(next) ? start : 0
}

function hasOpenQuote(line: string): boolean {
  return (line.split('"').length - 1) % 2 === 1
}

/**
 * One value and nothing behind it, or a few that are no header, as they would name less than half of the columns: in a line
 * that ends there (`Data Source,World Development Indicators,`), or of which one says what it is (`Account: 12;Period: 2025;;;`).
 */
function isTitled(cells: readonly string[], width: number): boolean {
  const there = cells.map((cell) => cell.trim())
  const last = there.findLastIndex((cell) => cell !== '')
  if (last === 0) return true
  if (last < 0 || there.slice(0, last + 1).includes('') || 2 * (last + 1) > width) return false
  return cells.length <= last + 2 || there.some((cell) => /^[^:]+:(?:\s|$)/.test(cell))
}

function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  // Of a ragged file nobody can say what is above it.
  if (most < 0.9 * values.length) return 0
  return [...counts].find(([, count]) => count === most)?.[0] ?? 0
}
