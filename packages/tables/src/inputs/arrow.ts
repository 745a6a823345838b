import { stat } from 'node:fs/promises'
import { phrase, RlviError } from 'rlvi'
import { apart } from './apart.js'
import type { ArrowWritten } from './arrow-file.js'
import type { InputFile } from './files.js'
import type { TemporaryFiles } from './temporary.js'
import { givenMost } from './unpacked.js'

/** The package that reads such files, which is not installed with ours, in the version that ours is tested with. */
const library = 'apache-arrow@21.2.0'

/** Columns are held in memory, outside of what Node counts; the rest is theirs as values. */
const MOST = 2 ** 30
const MEMORY = 2 ** 31
/** The reader may go round in a damaged file for ever; a whole one takes far less, also on a busy machine. */
const SECONDS = 15
const SECONDS_EACH = 10

/** An Arrow or Feather file as CSV. */
export async function arrowAsCsv(input: InputFile, temporary: TemporaryFiles): Promise<InputFile> {
  const { path } = input
  const file = temporary.path('arrow.csv')
  const argv = [input.file, file, String(givenMost() ?? MOST)]
  const { size } = await stat(input.file)
  const seconds = Math.ceil(SECONDS + (SECONDS_EACH * size) / 2 ** 20)
  const { isThere, left } = await apart<ArrowWritten>('arrow-file', path, 'Arrow', MEMORY, argv, seconds)
  if (!isThere) {
    const install = `install with npm install --ignore-scripts ${library} (and -g if rlvi was installed so)`
    const todo = `${install}, or save it as Parquet (pandas: df.to_parquet, R: arrow::write_parquet)`
    throw new RlviError(path, `${library} is needed`, phrase('no such package'), todo)
  }
  // Lists are read in no format.
  const others = left.some((column) => !/ \((?:Large|FixedSize)?List\W[^(]*\)$/.test(column))
  const todo = others ? '; saved as Parquet (polars: df.write_parquet) they are read, but for lists' : ''
  const remark = `${path}: left out columns of types that are not read: ${left.join(', ')}${todo}`
  return {
    ...input,
    format: 'csv',
    isTable: true,
    rewritten: { file, encoding: 'utf-8' },
    remarks: left.length > 0 ? [...input.remarks, remark] : input.remarks,
  }
}
