import { stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { countRows, type Table } from '@rlvi/tables'
import { SAMPLE_ROWS } from 'rlvi/passes'

/** Half of the memory that the machine, or what limits this process, has. */
export function defaultMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0
  const all = totalmem()
  return (limit > 0 && limit < all ? limit : all) / 2
}

/** Every number is there as it was read, column by column, and in the rows that are fitted. */
const COPIES = 2
/** Numbers that a fit keeps for each row beside the row itself: losses, P(good), what they were before, and the like. */
const VECTORS = 15
/** A code for each cell of the columns that are kept as they are. */
const CODE = 4
/** A text file has no more than one cell for every two of its bytes. */
const LEAST_CELL = 2

/** Fewer rows than this are no sample, whatever the budget is. */
const LEAST_SAMPLE = 2000

/** How many rows of so many columns a fit out of core takes for its sample: what a quarter of the budget holds. */
export function sampleRows(columns: number, bytes: number): number {
  return Math.max(LEAST_SAMPLE, Math.min(SAMPLE_ROWS, Math.floor(bytes / 4 / (8 * columns))))
}

/** What the files of a table hold. */
export interface TableSize {
  /** Columns to fit, the target among them. */
  readonly fitted: number
  /** Columns that are kept as they are, to be written again. */
  readonly kept: number
}

/**
 * Whether the rows of a table, with all that a fit makes of them, fit into so many bytes; or are so few that a fit out of core
 * would have all of them in memory anyway, as the sample where it begins.
 */
export async function fitsInto(table: Table, { fitted, kept }: TableSize, bytes: number): Promise<boolean> {
  const perRow = 8 * (COPIES * fitted + VECTORS) + CODE * kept
  const isText = table.parts.every(({ columns }) => columns.every(({ kind }) => kind === 'text'))
  if (isText) {
    const size = await sizeOf(table)
    const rows = size / (LEAST_CELL * Math.max(1, table.columns.length))
    if (rows * perRow <= bytes) return true
  }
  const rows = await countRows(table)
  return rows * perRow <= bytes || rows < 2 * sampleRows(fitted, bytes)
}

async function sizeOf({ parts }: Table): Promise<number> {
  let size = 0
  for (const { path } of parts) {
    // Compressed files, and stdin, say nothing by their size.
    const found = /\.(?:gz|zst|bz2|xz)$/i.test(path) ? undefined : await stat(path).catch(() => undefined)
    size += found?.size ?? Number.POSITIVE_INFINITY
  }
  return size
}
