import { cells } from '@rlvi/estimator'

/** What the first records of CSV say of its columns. */
export interface HeaderLines {
  readonly names: readonly string[]
  /** The second line, where it belongs to the header: names below those of groups, or units, which are left out. */
  readonly second?: { readonly is: 'names' | 'units'; readonly cells: readonly string[] }
}

const FEWEST_ROWS = 3
const readers = [cells(), cells({ decimal: ',' })]

/**
 * Finds a second line of the header: one without a number, in a table whose other lines have numbers in some columns, and
 * with a value there that the others do not have. One word could be a value like others, unless it is a unit.
 */
export function headerLines(records: readonly (readonly string[])[]): HeaderLines {
  const [first = [], second = [], ...rows] = records
  const rest = rows.filter((row) => row.length === first.length)
  if (second.length !== first.length || rest.length < FEWEST_ROWS || second.some(isNumber))
    return { names: first }
  const places = [...first.keys()]
  const numeric = places.filter((j) => isNumeric(rest.map((row) => row[j]!)))
  const words = numeric.map((j) => second[j]!.trim()).filter((cell) => !isGap(cell))
  const isOne = words.length > 1 || (words.length === 1 && isUnit(words[0]!))
  const isRow = places.some((j) => !isGap(second[j]!) && rest.some((row) => row[j] === second[j]))
  if (!isOne || isRow) return { names: first }
  const grouped = filled(first)
  if (grouped === undefined) return { names: first, second: { is: 'units', cells: second } }
  const names = grouped.map((group, j) => [group, second[j]!.trim()].filter((name) => name !== '').join(' '))
  return { names, second: { is: 'names', cells: second } }
}

/** The names of groups of columns, each for all that it stands above; undefined where the line has a name for every column. */
function filled(first: readonly string[]): readonly string[] | undefined {
  const bare = first.map((cell) => cell.trim())
  // A first column without a name has the names of rows.
  const isGrouped = bare.slice(1).includes('') || new Set(bare).size < bare.length
  if (!isGrouped) return undefined
  let group = ''
  return bare.map((cell) => {
    if (cell !== '') group = cell
    return group
  })
}

function isNumber(cell: string): boolean {
  return readers.some(({ kindOfText }) => kindOfText(cell) === 'number')
}

function isGap(cell: string): boolean {
  return readers.some(({ kindOfText }) => kindOfText(cell) === 'missing')
}

function isNumeric(column: readonly string[]): boolean {
  return column.some(isNumber) && column.every((cell) => isNumber(cell) || isGap(cell))
}

/** In brackets, or with a sign that words do not have. */
function isUnit(text: string): boolean {
  return (
    /^[[(].*[\])]$/.test(text) ||
    /^[^\w\s]/.test(text) ||
    /^(?:[kcmµun]?(?:m|g|s|l|V|A|W|J|Pa|Hz)|kWh|h|min|years?|days?|hours?|seconds?)$/.test(text)
  )
}
