import { open } from 'node:fs/promises'

const BYTES = 65_536

/**
 * Whether lines that are left out end otherwise than those below them, as where a title was written above a table of another
 * system: DuckDB takes the end of the first line for that of all, and finds no rows then.
 */
export async function endsOtherwise(file: string, above: number): Promise<boolean> {
  if (/\.(?:gz|zst)$/i.test(file)) return false
  const opened = await open(file)
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(BYTES), 0, BYTES, 0)
    const ends = buffer.toString('latin1', 0, bytesRead).match(/\r\n|\n|\r/g) ?? []
    const [first] = ends
    return ends.slice(1, above + 2).some((end) => end !== first)
  } finally {
    await opened.close()
  }
}
