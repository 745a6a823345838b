import { isClickhouse, type Table, withoutPassword, withTable } from '@rlvi/tables'
import { RlviError } from 'rlvi'
import type { Io } from '../terminal/io.js'
import { checkOutputs } from '../terminal/outputs.js'
import type { ReadingOptions } from '../terminal/reading-flags.js'
import { UsageError } from '../terminal/usage.js'

/** The stand-in for stdin on a command line. */
const STDIN = '-'

export interface OpenFiles extends Pick<ReadingOptions, 'delimiter' | 'encoding' | 'header' | 'skip'> {
  readonly table?: string | undefined
}

/** Opens the files of a command line as one table, none of which a file that is to be written would replace. */
export async function withFiles<T>(
  command: string,
  files: readonly string[],
  { table, delimiter, encoding, header, skip }: OpenFiles,
  outputs: Readonly<Record<string, string | undefined>>,
  io: Io,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  const database = files.find(isClickhouse)
  if (database !== undefined) {
    const todo = 'write the rows to a file, as clickhouse-client does by FORMAT Parquet or CSVWithNames'
    throw new RlviError(`rlvi ${command}`, 'files are needed', withoutPassword(database), todo)
  }
  const twice = files.find((file, i) => files.indexOf(file) < i)
  if (twice !== undefined) throw new UsageError(`rlvi ${command}`, 'each file is given once', twice)
  checkOutputs(onDisk(files), outputs)
  const remarks: string[] = []
  // A library speaks of its options; here they are flags.
  const say = (): void => {
    for (const remark of remarks) io.remark(remark.replaceAll(/`(encoding|header|skip|table)`/g, '--$1'))
  }
  const found = await withTable(files, { table, delimiter, encoding, header, skip }, async (opened) => {
    // What a pattern stands for is known by now.
    checkOutputs(onDisk(opened.parts.map(({ path }) => path)), outputs)
    remarks.splice(0, remarks.length, ...opened.remarks)
    return await use(opened)
  }).catch((error: unknown) => {
    // What a file was taken for may be why something is not in it.
    say()
    throw error
  })
  say()
  return found
}

function onDisk(files: readonly string[]): string[] {
  return files.filter((file) => file !== STDIN)
}

/** What messages call the files of a command line. */
export function filesName(files: readonly string[]): string {
  const [first = '', ...others] = files
  const name = first === STDIN ? 'stdin' : withoutPassword(first)
  return others.length === 0 ? name : `${name} and ${others.length} more`
}
