/**
 * A process of its own that reads a spreadsheet and writes one of its sheets as CSV: `sheets.js FILE OUT [SHEET]`. What a small file
 * makes of memory (a cell at the far end of a sheet is a row of gaps) then ends this process, and none that has other work.
 * Prints JSON: the names of the sheets and which one was written, or an error.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import readSheets from 'read-excel-file/node'

/** A value of a sheet. */
type Value = string | number | boolean | Date | null

/** What is printed. */
export type SheetsFound =
  | { readonly names: readonly string[]; readonly written: string | undefined; readonly isEmpty: boolean }
  | { readonly error: string }

const [file, out, wanted] = process.argv.slice(2) as [string, string, string | undefined]

async function found(): Promise<SheetsFound> {
  try {
    const sheets = (await readSheets(file)) as { sheet: string; data: Value[][] }[]
    const chosen = wanted === undefined ? sheets[0] : sheets.find(({ sheet }) => sheet === wanted)
    const rows = (chosen?.data ?? []).filter((row) => row.some((value) => value !== null))
    await pipeline(Readable.from(lines(rows)), createWriteStream(out, { mode: 0o600 }))
    const names = sheets.map(({ sheet }) => sheet)
    return { names, written: chosen?.sheet, isEmpty: rows.length === 0 }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function* lines(rows: readonly (readonly Value[])[]): Generator<string> {
  for (const row of rows) yield `${row.map(cell).join(',')}\n`
}

/** Texts are put in quotes and numbers are not, so that a column of texts stays one. */
function cell(value: Value): string {
  if (value === null) return ''
  if (value instanceof Date) {
    const text = value
      .toISOString()
      .replace('T', ' ')
      .replace(/\.000Z$|Z$/, '')
    return text.replace(/ 00:00:00$/, '')
  }
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}

process.stdout.write(JSON.stringify(await found()), () => process.exit())
