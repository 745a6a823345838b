import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvCell, type Value } from './csv-cell.js'

/** What was written. */
export interface SheetWritten {
  readonly names: readonly string[]
  /** Undefined where there is none of that name. */
  readonly written?: string
  readonly isEmpty: boolean
}

/**
 * The bytes of all that is in the archive: as it says itself, for so much room will be made, and as it is. With the first ones
 * above `most` it stops.
 */
export async function unpackedSize(file: string, most: number): Promise<number> {
  const { Parse } = await import('unzipper-esm')
  let said = 0
  let unpacked = 0
  return new Promise((resolve, reject) => {
    const found = (): number => Math.max(said, unpacked)
    const check = (): void => {
      if (found() > most) resolve(found())
    }
    createReadStream(file)
      .on('error', reject)
      .pipe(Parse())
      .on('error', reject)
      .on('finish', () => resolve(found()))
      .on('entry', (entry) => {
        said += entry.vars.uncompressedSize ?? 0
        check()
        entry.on('error', reject).on('data', (piece: Buffer) => {
          unpacked += piece.length
          check()
        })
      })
  })
}

/** Writes a sheet as CSV, the named one or the first. */
export async function writeSheet(
  file: string,
  out: string,
  wanted: string | undefined,
): Promise<SheetWritten> {
  const { default: readSheets } = await import('read-excel-file/node')
  const sheets = (await readSheets(file)) as { sheet: string; data: Value[][] }[]
  const chosen = wanted === undefined ? sheets[0] : sheets.find(({ sheet }) => sheet === wanted)
  const rows = (chosen?.data ?? []).filter((row) => row.some((value) => value !== null))
  // A table may begin anywhere.
  const used = [...(rows[0] ?? []).keys()].filter((j) => rows.some((row) => row[j] !== null))
  await pipeline(
    Readable.from(lines(rows.map((row) => used.map((j) => row[j]!)))),
    createWriteStream(out, { mode: 0o600 }),
  )
  const names = sheets.map(({ sheet }) => sheet)
  return { names, isEmpty: rows.length === 0, ...(chosen === undefined ? {} : { written: chosen.sheet }) }
}

function* lines(rows: readonly (readonly Value[])[]): Generator<string> {
  for (const row of rows) yield `${row.map(csvCell).join(',')}\n`
}
