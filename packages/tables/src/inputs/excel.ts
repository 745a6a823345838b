import { writeFile } from 'node:fs/promises'
import { phrase, RlviError, show } from 'rlvi'
import type { InputFile } from './files.js'
import type { TemporaryFiles } from './temporary.js'

/** A value of a sheet. */
type Value = string | number | boolean | Date | null

/**
 * A sheet of a spreadsheet as CSV: the one that is named, or the first. Texts are put in quotes and numbers are not, so that
 * a column of texts stays one. The library is loaded when it is needed.
 */
export async function sheetAsCsv(
  input: InputFile,
  wanted: string | undefined,
  temporary: TemporaryFiles,
): Promise<InputFile> {
  const sheets = await sheetsOf(input)
  const names = sheets.map(({ sheet }) => show(sheet)).join(', ')
  const found = wanted === undefined ? sheets[0] : sheets.find(({ sheet }) => sheet === wanted)
  if (found === undefined) {
    const todo = `choose \`table\`, one of: ${names}`
    throw new RlviError(input.path, 'a sheet of that name is needed', wanted, todo)
  }
  const rows = found.data.filter((row) => row.some((value) => value !== null))
  if (rows.length === 0)
    throw new RlviError(
      input.path,
      'a header and rows are needed',
      phrase(`an empty sheet ${show(found.sheet)}`),
    )
  const file = temporary.path('sheet.csv')
  await writeFile(file, `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`, { mode: 0o600 })
  const remark = `${input.path}: read sheet ${show(found.sheet)} of ${names}; \`table\` chooses another`
  return {
    ...input,
    format: 'csv',
    isSheet: true,
    rewritten: { file, encoding: 'utf-8' },
    remarks: wanted === undefined && sheets.length > 1 ? [...input.remarks, remark] : input.remarks,
  }
}

async function sheetsOf(input: InputFile): Promise<readonly { sheet: string; data: Value[][] }[]> {
  const { default: readSheets } = await import('read-excel-file/node')
  try {
    return (await readSheets(input.file)) as { sheet: string; data: Value[][] }[]
  } catch (error) {
    const got = phrase(error instanceof Error ? error.message : String(error))
    throw new RlviError(input.path, 'could not be read as a spreadsheet', got, 'save it as CSV')
  }
}

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
