import { cells } from '@rlvi/estimator'

/** What the first records of CSV say of its columns. */
export interface HeaderLines {
  readonly names: readonly string[]
  /** The second line, where it belongs to the header: names below those of groups, or units, which are left out. */
  readonly second?: { readonly is: 'names' | 'units' | 'questions'; readonly cells: readonly string[] }
  /** How many lines there are. */
  readonly lines: number
}

const FEWEST_ROWS = 3
const readers = [cells(), cells({ decimal: ',' })]

/**
 * Finds a second line of the header, and further ones below units or names: one without a number, in a table whose other lines have numbers in some columns, and
 * with a value there that the others do not have. One word could be a value like others, unless it is a unit.
 */
export function headerLines(records: readonly (readonly string[])[]): HeaderLines {
  const [first = [], second = [], third = [], ...more] = records
  const one = { names: first, lines: 1 }
  if (second.length !== first.length) return one
  // A survey tool writes the questions below the names, and its own ids below those.
  if (third.length === first.length && third.every((cell) => /^\{"ImportId":/.test(cell.trim())))
    return { names: first, second: { is: 'questions', cells: second }, lines: 3 }
  const grouped = filled(first, second)
  const isThird = grouped === undefined && isProcessing(third, more)
  const rest = (isThird ? more : [third, ...more]).filter((row) => row.length === first.length)
  if (rest.length < FEWEST_ROWS) return one
  // The format RDB says below the names how wide each column is, and whether it has strings, dates or numbers.
  if (second.every((cell) => /^\d+[sdn]$/.test(cell)))
    return { names: first, second: { is: 'units', cells: second }, lines: 2 }
  const isBelow = namesBelow(first, second, rest)
  // Merged cells leave years below the name of their group.
  if (second.some((cell) => isLikeNumber(cell) && !(isBelow && isYear(cell)))) return one
  const places = [...first.keys()]
  const words = wordsAmongNumbers(second, rest)
  const isOne = words.length > 1 || (words.length === 1 && isUnit(words[0]!))
  const isRow = places.some((j) => !isGap(second[j]!) && rest.some((row) => row[j] === second[j]))
  if ((!isOne || isRow) && !isBelow) return one
  if (grouped === undefined)
    return { names: first, second: { is: 'units', cells: second }, lines: isThird ? 3 : 2 }
  const deeper = namesBelowNames([third, ...more])
  const names =
    deeper.length === 0
      ? grouped.map((group, j) => [group, ownName(second[j]!)].filter((name) => name !== '').join(' '))
      : tellingNames([grouped, second, ...deeper])
  const found = { names, second: { is: 'names', cells: second } as const, lines: 2 + deeper.length }
  const below = records[found.lines] ?? []
  const levels = indexLevels(below)
  if (levels === 0) return found
  const own = [...below.slice(0, levels).map((name) => name.trim()), ...names.slice(levels)]
  return { ...found, names: own, lines: found.lines + 1 }
}

/** A summary above a table has few lines. */
const LAST_NAMES = 10
const FEWEST_NAMES = 3

/**
 * Where another line of names stands below the first and values of its own, as a watch writes a summary above what it measured: its
 * place among the records; undefined where there is none.
 */
export function namesFurtherDown(records: readonly (readonly string[])[], from: number): number | undefined {
  const found = records.slice(from + 1, LAST_NAMES).findIndex((record, k) => {
    const there = record.map((cell) => cell.trim()).filter((cell) => cell !== '')
    if (there.length < FEWEST_NAMES || 2 * there.length < record.length) return false
    if (new Set(there).size < there.length || there.some(isLikeNumber)) return false
    const rest = records.slice(from + k + 2).filter((row) => row.length === record.length)
    return rest.length >= FEWEST_ROWS && wordsAmongNumbers(record, rest).length > 1
  })
  return found < 0 ? undefined : from + 1 + found
}

/** How many columns pandas names as the index, in a line below all other names that has nothing else; 0 where a line is none such. */
function indexLevels(line: readonly string[]): number {
  const levels = line.findIndex((cell) => cell.trim() === '')
  const isOne = levels > 0 && line.slice(levels).every((cell) => cell.trim() === '')
  return isOne && line.slice(0, levels).every((cell) => !isGap(cell) && !isNumber(cell)) ? levels : 0
}

/** A header has at most so many lines below two of groups. */
const DEEPEST = 2

/** Lines of names below two of groups: a logger writes the port, the sensor, and what it measures. */
function namesBelowNames(lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  for (const [k, line] of lines.slice(0, DEEPEST).entries()) {
    const rest = lines.slice(k + 1).filter((row) => row.length === line.length)
    const isRow = line.some((cell, j) => !isGap(cell) && rest.some((row) => row[j] === cell))
    if (rest.length < FEWEST_ROWS || isRow || indexLevels(line) > 0 || line.some(isLikeNumber)) break
    if (wordsAmongNumbers(line, rest).length < 2) break
    found.push(line)
  }
  return found
}

/** The last line that names each column otherwise: below it there are units. Else the names of the last line; to those that several columns have comes the nearest line above by which they differ, or all. */
function tellingNames(lines: readonly (readonly string[])[]): readonly string[] {
  const above = lines.map((line) => line.map((cell) => cell.trim()))
  const apart = above.findLast((line) => !line.includes('') && new Set(line).size === line.length)
  if (apart !== undefined) return apart
  const last = above.pop()!
  return last.map((name, j) => {
    const same = [...last.keys()].filter((k) => last[k] === name)
    if (same.length === 1 && name !== '') return name
    const telling = above.findLast((line) => new Set(same.map((k) => line[k])).size === same.length)
    const parts = telling === undefined ? above.map((line) => line[j]!) : [telling[j]!]
    return [...parts, name].filter((part) => part !== '').join(' ')
  })
}

/** Whether a line below the units says how each value was made, as loggers write it: `Avg`, `Smp`. */
function isProcessing(line: readonly string[], below: readonly (readonly string[])[]): boolean {
  const rest = below.filter((row) => row.length === line.length)
  return rest.length >= FEWEST_ROWS && !line.some(isLikeNumber) && wordsAmongNumbers(line, rest).length > 0
}

/** What a line has in the columns in which the others have numbers. */
function wordsAmongNumbers(line: readonly string[], rest: readonly (readonly string[])[]): readonly string[] {
  return line.flatMap((cell, j) =>
    isGap(cell) || !isNumeric(rest.map((row) => row[j]!)) ? [] : [cell.trim()],
  )
}

/**
 * Whether the second line names all columns that the first does not, and has nothing in some where all rows have a value: a
 * survey tool writes the possible answers below a question, and each again in the rows of those who chose it.
 */
function namesBelow(
  first: readonly string[],
  second: readonly string[],
  rest: readonly (readonly string[])[],
): boolean {
  const unnamed = [...first.keys()].filter((j) => j > 0 && first[j]!.trim() === '')
  if (unnamed.length === 0 || unnamed.some((j) => isGap(second[j]!))) return false
  return second.some((cell, j) => isGap(cell) && rest.every((row) => !isGap(row[j]!)))
}

/** Below a question with one answer a survey tool writes that it has one. */
function ownName(cell: string): string {
  return /^(?:Open-Ended )?Response$/.test(cell.trim()) ? '' : cell.trim()
}

/** The names of groups of columns, each for all that it stands above; undefined where the line has a name for every column that has one. */
function filled(line: readonly string[], below: readonly string[]): readonly string[] | undefined {
  // Where both lines end in a delimiter nothing is named.
  const isEnded = [line, below].every((cells) => cells.at(-1)?.trim() === '')
  const bare = line.map((cell) => cell.trim())
  if (isEnded && !bare.slice(1, -1).includes('') && new Set(bare).size === bare.length) return undefined
  // A first column without a name has the names of rows.
  const isGrouped = bare.slice(1).includes('') || new Set(bare).size < bare.length
  if (!isGrouped) return undefined
  let group = ''
  return bare.map((cell) => {
    if (cell !== '') group = cell
    return group
  })
}

function isYear(cell: string): boolean {
  return /^\s*(?:19|20)\d\d\s*$/.test(cell)
}

function isNumber(cell: string): boolean {
  return readers.some(({ kindOfText }) => kindOfText(cell) === 'number')
}

function isGap(cell: string): boolean {
  return readers.some(({ kindOfText }) => kindOfText(cell) === 'missing')
}

/** Of values with currency signs, units or dates, which are numbers to whoever wrote them, some may be words for nothing. */
const MOSTLY = 0.8

function isNumeric(column: readonly string[]): boolean {
  const there = column.filter((cell) => !isGap(cell))
  if (there.every(isNumber)) return there.length > 0
  return there.filter(isLikeNumber).length > MOSTLY * there.length
}

function isLikeNumber(cell: string): boolean {
  return (
    isNumber(cell) ||
    /^[-+(]?\s*[$€£¥]?\s*[-+]?\d[\d\s.,'’/:-]*\s*(?:[$€£¥%]|[A-Za-zµ°]{1,4})?\)?$/.test(cell.trim())
  )
}

/** In brackets, or with a sign that words do not have. */
function isUnit(text: string): boolean {
  return (
    /^[[(].*[\])]$/.test(text) ||
    /^[^\w\s]/.test(text) ||
    /^(?:[kcmµun]?(?:m|g|s|l|V|A|W|J|Pa|Hz)|kWh|h|min|years?|days?|hours?|seconds?)$/.test(text)
  )
}
