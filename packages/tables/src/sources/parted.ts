import type { Parted } from '../errors.js'

/** What parts the values of a text, where no single sign does; undefined where one does. */
export function partedBy(lines: readonly string[]): Parted | undefined {
  return (
    ruledAt(lines) ??
    (areAligned(lines) ? 'blanks' : areDoubled(lines) ? '::' : areTilded(lines) ? '^' : undefined)
  )
}

const dashes = /^(?=.*--)-+(?: +-+)+\s*$/
/** So many lines may stand above the dashes. */
const MOST_ABOVE = 4
/** So many above columns that blanks part. */
const MOST_TITLES = 10

/** Where columns begin by a line of dashes below their names, as clients of databases draw it: values may have blanks in them then. */
function ruledAt(lines: readonly string[]): readonly number[] | undefined {
  const place = lines.slice(0, MOST_ABOVE).findIndex((line) => dashes.test(line))
  if (place < 1 || lines.length < place + 2) return undefined
  const starts = Array.from(lines[place]!.matchAll(/-+/g), ({ index }) => index)
  const [header, row] = [lines[place - 1]!, lines[place + 1]!]
  return isCutAt(header, starts) && isCutAt(row, starts) ? starts : undefined
}

/** Whether two colons part the values of every line, several times, and no single sign does. */
function areDoubled(lines: readonly string[]): boolean {
  const there = lines.filter((line) => line.trim() !== '')
  const widths = (sign: string): Set<number> => new Set(there.map((line) => line.split(sign).length))
  const isEven = (sign: string, least: number): boolean =>
    widths(sign).size === 1 && there[0]!.split(sign).length >= least
  return there.length > 2 && isEven('::', 3) && ![',', ';', '\t', '|'].some((sign) => isEven(sign, 2))
}

/** Whether carets part the values of every line, and tildes stand around texts, as offices of agriculture write their tables. */
function areTilded(lines: readonly string[]): boolean {
  const there = lines.filter((line) => line.trim() !== '')
  const widths = new Set(there.map((line) => line.split('^').length))
  return (
    there.length > 2 &&
    widths.size === 1 &&
    !widths.has(1) &&
    there.every((line) => /~[^~^]*~(?:\^|$)/.test(line))
  )
}

/** What stands above the names, by the number of values in each line; names and R's numbers of rows may differ by one. */
function linesAbove(widths: readonly number[]): number {
  const most = Math.min(MOST_TITLES, Math.floor(widths.length / 2))
  const width = widths.at(-1)!
  return widths.slice(0, most).findLastIndex((own) => own !== width && own !== width - 1) + 1
}

/**
 * Whether values stand below each other, with blanks between them and nothing else that could part them. A value in quotes may have
 * blanks in it; a tab in front of the last column parts it as blanks do. A title may stand above, and come again where a program
 * prints its header again.
 */
function areAligned(lines: readonly string[]): boolean {
  const all = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.replaceAll(/(?<=^|[ \t])"[^"\t]*"(?=$|[ \t])/g, 'x'))
  // A line with fewer values than those below it may be the names of a table with tabs.
  const hasTabs = all.some((line) => line.includes('\t'))
  const above = hasTabs ? 0 : linesAbove(all.map((line) => line.trim().split(/ +/).length))
  // Above values there may be names that have blanks in them: more than there are columns.
  if (above > 0 && /(?:^|\s)[-+.]?\d/.test(all[above]!)) return false
  const titles = all.slice(0, above)
  const there = all.slice(above).filter((line) => !titles.includes(line) && !areUnits(line))
  if (
    there.length < 3 ||
    !there.some((line) => /^ | {2}/.test(line)) ||
    there.some((line) => /[",;|]/.test(line))
  )
    return false
  const [header = 0, ...others] = there.map((line) => line.trim().split(/[ \t]+/).length)
  const [width = 0] = others
  // R prints numbers of rows, and no name above them.
  const widths = new Set(header === width - 1 && width > 2 ? others : [header, ...others])
  const isTabbed = there.some((line) => line.includes('\t'))
  // Tabs that part more are those of a table of texts.
  if (isTabbed && !there.every((line) => / {2}/.test(line) && 2 * line.split('\t').length <= width))
    return false
  return widths.size === 1 && width > 1
}

/** Whether a line has units in brackets alone, as instruments write them below names, for those columns that have one. */
function areUnits(line: string): boolean {
  return /^\s*(?:\[[^[\]]*\]|\([^()]*\))(?:\s+(?:\[[^[\]]*\]|\([^()]*\)))*\s*$/.test(line)
}

/** Whether columns of a line begin at places: with a blank before each. A note below the table runs over them. */
function isCutAt(line: string, starts: readonly number[]): boolean {
  return starts.every((start) => start === 0 || start > line.length || line[start - 1] === ' ')
}

/** A line with tabs in place of what parts its values; blanks in quotes part none. */
export function withTabs(line: string, by: Parted): string {
  if (by === '::') return line.replaceAll('::', '\t')
  if (by === '^')
    return line
      .split('^')
      .map((cell) => quoted(cell.trim().replace(/^~(.*)~$/, '$1')))
      .join('\t')
  // Nobody can say by blanks which columns have none.
  if (by === 'blanks' && areUnits(line)) return ''
  if (by === 'blanks')
    return line.trim().replaceAll(/"[^"]*"|[ \t]+/g, (found) => (found.startsWith('"') ? found : '\t'))
  if (line.trim() === '' || !isCutAt(line, by)) return line
  return by.map((start, k) => quoted(line.slice(start, by[k + 1]).trim())).join('\t')
}

function quoted(cell: string): string {
  return /["\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
