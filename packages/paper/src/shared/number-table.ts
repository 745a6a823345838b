import { gunzipSync } from 'node:zlib'
import { RlviError, show } from 'rlvi'

/** Columns of numbers with their names, as a CSV file has them. */
export interface NumberTable {
  readonly names: readonly string[]
  readonly rows: number
  column(name: string): Float64Array
}

/** Whether a file is gzip, by its first bytes. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * A CSV file that holds numbers only, under a line of names; it may be packed with gzip. Data sets of experiments are
 * such files; tables of users go through DuckDB (`@rlvi/tables`).
 */
export function readNumberTable(where: string, bytes: Uint8Array): NumberTable {
  const text = new TextDecoder().decode(isGzip(bytes) ? unzipped(where, bytes) : bytes)
  const [head = '', ...lines] = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const names = head
    .replace(/^\uFEFF/, '')
    .split(',')
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  const repeated = names.find((name, j) => names.indexOf(name) !== j)
  if (repeated !== undefined) throw new RlviError(where, 'every column needs a name of its own', repeated)
  const columns = names.map(() => new Float64Array(lines.length))
  for (const [i, line] of lines.entries()) {
    const cells = line.split(',')
    if (cells.length !== names.length) {
      throw new RlviError(where, `line ${i + 2} must have ${names.length} cells like the first`, cells.length)
    }
    for (const [j, column] of columns.entries())
      column[i] = numberIn(where, cells[j] ?? '', i + 2, names[j] ?? '')
  }
  return {
    names,
    rows: lines.length,
    column(name) {
      const column = columns[names.indexOf(name)]
      if (column === undefined) throw new RlviError(where, `a column ${show(name)} is needed`, [...names])
      return column
    },
  }
}

function unzipped(where: string, bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: 2 ** 29 })
  } catch (problem) {
    throw new RlviError(where, 'a gzip file must unpack', (problem as Error).message, 'fetch it again')
  }
}

function numberIn(where: string, cell: string, line: number, name: string): number {
  const value = cell.trim() === '' ? Number.NaN : Number(cell)
  if (Number.isFinite(value)) return value
  throw new RlviError(where, `line ${line}, column ${show(name)}: a finite number is needed`, cell)
}
