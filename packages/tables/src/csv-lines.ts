import { open } from 'node:fs/promises'
import { RlviError } from 'rlvi'

const LOOK = 4 * 1024 * 1024

/**
 * DuckDB takes a CSV file whose lines have different numbers of values for one wide text column, or begins at a
 * later line. That must not pass for a table, so the first lines are looked at: where the header has delimiters
 * outside quotes, the lines after it must have as many.
 */
export async function checkCsv(path: string): Promise<void> {
  const file = await open(path)
  let bytes: Buffer
  try {
    bytes = Buffer.alloc(LOOK)
    const { bytesRead } = await file.read(bytes, 0, LOOK, 0)
    bytes = bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
  // A compressed file says nothing here, and quotes may hold anything: leave those to DuckDB.
  if (bytes.includes(0) || (bytes[0] === 0x1f && bytes[1] === 0x8b)) return
  const text = bytes.toString('utf8')
  if (text.includes('"')) return
  const lines = text.split(/\r?\n/)
  if (bytes.length === LOOK || lines.at(-1) === '') lines.pop()
  const header = lines[0] ?? ''
  const delimiters = [',', ';', '\t', '|'].filter((sign) => header.includes(sign))
  if (header.startsWith('#')) return
  const odd = delimiters.map((sign) => oddLine(lines, sign))
  const first = odd[0]
  if (first === undefined || odd.includes(undefined)) return
  const rule = `every line must have ${first.wanted} values like the header`
  throw new RlviError(`${path} line ${first.line}`, rule, first.values, 'fix that line')
}

/** The first line, counted from 1, with another number of values than the header; undefined if there is none. */
function oddLine(
  lines: readonly string[],
  delimiter: string,
): { line: number; values: number; wanted: number } | undefined {
  const counts = lines.map((line) => line.split(delimiter).length)
  const wanted = counts[0] ?? 0
  const odd = counts.findIndex((count, i) => lines[i] !== '' && count !== wanted)
  return odd < 0 ? undefined : { line: odd + 1, values: counts[odd] ?? 0, wanted }
}
