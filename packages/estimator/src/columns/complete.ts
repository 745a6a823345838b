import { phrase, RlviError, show } from 'rlvi'
import { leaveOut, type Words } from '../words.js'
import type { Typed } from './column.js'

/** A column that must have a value in every row that is used. */
export interface Needed {
  readonly name: string
  readonly data: Typed
}

/** The rows without a gap. */
export interface Complete {
  readonly inputRows: number
  /** Their places in the table: indices, from 0. */
  readonly rows: Int32Array
  /** For each column with gaps, how many. */
  readonly missing: ReadonlyMap<string, number>
  /** How many of the last rows have no value in any column: spreadsheets write such below their tables. */
  readonly emptyBelow: number
}

/** Few enough that a row of a matrix is still in the cache when its next column is looked at. */
const BLOCK = 512

/**
 * The rows that have a value in every column. An infinity is an error, because it is neither a number to fit nor a gap
 * that someone left; under `strict` a gap is one too.
 */
export function completeRows(
  columns: readonly Needed[],
  inputRows: number,
  strict: boolean,
  words: Words,
): Complete {
  const rows = new Int32Array(inputRows)
  const counts = new Int32Array(columns.length)
  const gaps = new Uint32Array(BLOCK)
  let to = 0
  let emptyBelow = 0
  for (let from = 0; from < inputRows; from += BLOCK) {
    const end = Math.min(from + BLOCK, inputRows)
    gaps.fill(0)
    columns.forEach((column, j) => {
      counts[j]! += markGaps(column, from, end, gaps, words)
    })
    for (let i = from; i < end; i++) {
      const count = gaps[i - from]!
      if (count === 0) rows[to++] = i
      else if (strict) throw missingAt(i, columns, words)
      emptyBelow = count === columns.length ? emptyBelow + 1 : 0
    }
  }
  const missing = new Map<string, number>()
  columns.forEach(({ name }, j) => {
    if (counts[j]! > 0) missing.set(name, counts[j]!)
  })
  return { inputRows, rows: rows.subarray(0, to), missing, emptyBelow }
}

/** Counts for the rows of a block that they miss a value; returns how many do. */
function markGaps(
  { name, data }: Needed,
  from: number,
  end: number,
  gaps: Uint32Array,
  words: Words,
): number {
  let count = 0
  for (let i = from; i < end; i++) {
    if (data.kind === 'text') {
      if (data.codes[i]! >= 0) continue
    } else {
      const value = data.values[data.offset + i * data.stride]!
      if (value - value === 0) continue
      if (!Number.isNaN(value)) {
        const where = `${words.row(i)}, column ${show(name)}`
        const todo = `fix the value, or leave it empty for missing; ${words.rowsCount}`
        throw new RlviError(where, 'a finite number is needed', value, todo)
      }
    }
    gaps[i - from]!++
    count++
  }
  return count
}

function missingAt(row: number, columns: readonly Needed[], words: Words): RlviError {
  const gaps = new Uint32Array(1)
  const column = columns.find((candidate) => markGaps(candidate, row, row + 1, gaps, words) > 0)
  const todo = `fix the row, or drop such rows: leave ${words.option('strict')} out; ${words.rowsCount}`
  return new RlviError(`${words.row(row)}, column ${show(column?.name)}`, 'a value is needed', 'none', todo)
}

/** Throws where no row is left. */
export function checkAnyRows({ inputRows, rows, missing }: Complete, words: Words): void {
  if (inputRows === 0) {
    const todo = `was the ${words.holder} written completely?`
    throw new RlviError(words.source, 'rows are needed', phrase('a header alone'), todo)
  }
  if (rows.length > 0) return
  const [worst, most] = [...missing].reduce((a, b) => (b[1] > a[1] ? b : a))
  const rule = 'at least one row without missing values is needed'
  const todo = `column ${show(worst)} misses ${most}: ${leaveOut(words, worst)}`
  throw new RlviError(words.source, rule, phrase(`none of ${inputRows}`), todo)
}
