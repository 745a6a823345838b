import type { DuckDBDataChunk } from '@duckdb/node-api'
import { textSql } from '../numeric.js'
import type { Table } from '../table.js'

/** Rows that say what a column seems to hold; all rows then say whether it does. */
const ROWS = 2048

/** The first rows of a column by their texts; of a column of numbers none, unless they may be dates in digits. */
export interface Head {
  readonly texts: readonly (string | null)[]
  /** The texts by their hashes. */
  byHash(): ReadonlyMap<number, string>
}

/** A text as a whole number below 2^53: a scan sends it in its place. */
export function hashSql(text: string): string {
  return `(hash(${text}) >> 11)::double`
}

/** The first rows of all columns. Numbers come as numbers, since to make texts of them would take longer than all else. */
export async function headOf({ connection, parts }: Table): Promise<Head[]> {
  const first = parts[0]!
  const rows = async (asked: readonly string[]): Promise<readonly DuckDBDataChunk[]> => {
    const sql = `select ${['0', ...asked].join(', ')} from ${first.from} limit ${ROWS}`
    return await (await connection.run(sql)).fetchAllChunks()
  }
  const asked = first.columns.flatMap(({ name, kind }, j) => {
    const text = textSql(first, name)
    return kind === 'number' ? [`coalesce(c${j}::double, 'nan'::double)`] : [text, hashSql(text)]
  })
  const found = await rows(asked)
  const heads: Head[] = []
  const digits: number[] = []
  let k = 1
  for (const [j, { kind }] of first.columns.entries()) {
    if (kind === 'number') {
      if (doublesIn(found, k++).every(mayBeDate)) digits.push(j)
      heads.push({ texts: [], byHash: () => new Map() })
    } else {
      heads.push(headIn(found, k))
      k += 2
    }
  }
  if (digits.length === 0) return heads
  const texts = digits.map((j) => textSql(first, first.columns[j]!.name))
  const written = await rows(texts.flatMap((text) => [text, hashSql(text)]))
  digits.forEach((j, place) => {
    heads[j] = headIn(written, 1 + 2 * place)
  })
  return heads
}

/** 20200131 and longer, up to a time in seconds; a missing one says nothing. */
function mayBeDate(number: number): boolean {
  return Number.isNaN(number) || (Number.isInteger(number) && number >= 1e7 && number < 1e14)
}

function headIn(chunks: readonly DuckDBDataChunk[], column: number): Head {
  const texts = chunks.flatMap((chunk) => chunk.getColumnValues(column) as (string | null)[])
  return {
    texts,
    byHash: () => {
      const hashes = doublesIn(chunks, column + 1)
      return new Map(texts.flatMap((text, i) => (text === null ? [] : [[hashes[i]!, text] as const])))
    },
  }
}

/** Its array is there for reading, but its types keep it private. */
function doublesIn(chunks: readonly DuckDBDataChunk[], column: number): number[] {
  return chunks.flatMap((chunk) => [
    ...(chunk.getColumnVector(column) as unknown as { readonly items: Float64Array }).items,
  ])
}
