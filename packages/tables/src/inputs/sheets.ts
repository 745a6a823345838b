/**
 * A process of its own for spreadsheets (see apart.ts): a cell at the far end of a sheet is a row of gaps.
 *
 *   sheets.js size FILE MOST           prints how many bytes it unpacks to; with the first ones above MOST it stops
 *   sheets.js csv FILE OUT [SHEET]     writes a sheet as CSV, the named one or the first; prints the names, as JSON
 *
 * Either prints JSON, `{ "error": … }` where it fails.
 */
import { failed } from './failed.js'
import { unpackedSize, writeSheet } from './sheet-file.js'

const [task, file, ...rest] = process.argv.slice(2) as [string, string, string, string?]
const done = task === 'size' ? unpackedSize(file, Number(rest[0])) : writeSheet(file, rest[0]!, rest[1])
const printed = await done.catch(failed)
process.stdout.write(JSON.stringify(printed), () => process.exit())
