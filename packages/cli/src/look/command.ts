import { basename } from 'node:path'
import type { SummaryOptions } from '@rlvi/estimator'
import { checkName } from '@rlvi/estimator'
import { writeAtomic } from '@rlvi/io'
import { look, type Table, type TableLook } from '@rlvi/tables'
import { flagWords } from '../table/flag-words.js'
import { filesName, withFiles } from '../table/open.js'
import { busy } from '../terminal/busy.js'
import { commandLine } from '../terminal/command-line.js'
import { readFlags } from '../terminal/flags.js'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { version } from '../version.js'
import { type LookFlags, lookFlags } from './flags.js'
import { toText } from './text.js'

/** `rlvi look`: the columns of a table at a glance. */
export async function lookCommand(files: readonly string[], given: LookFlags, io: Io): Promise<void> {
  const options = readFlags(lookFlags, given)
  const { report, json } = options
  const source = filesName(files)
  const found = await busy('counting', () =>
    withFiles('look', files, options, { '--report': report }, io, (table) => lookAt(table, options)),
  )
  if (report !== undefined) {
    const { lookReport } = await import('@rlvi/report')
    const made = [
      ['command', commandLine('look', files, lookFlags, given)],
      ['rlvi', version],
      ['date', new Date().toISOString().slice(0, 19).replace('T', ' ')],
    ] as const
    await writeAtomic(report, lookReport({ source: basename(source), ...found, made }))
  }
  await io.out(json ? printableJson({ source, ...found }) : toText(source, found, io.width))
  if (report !== undefined) io.remark(`report: ${report}`)
}

async function lookAt(table: Table, options: SummaryOptions): Promise<TableLook> {
  const words = flagWords(table.path)
  const names = table.columns.map(({ name }) => name)
  const listed = (lists: readonly string[] = []): string[] =>
    lists.flatMap((list) => (names.includes(list) ? [list] : list.split(',').map((name) => name.trim())))
  const asked = { ...options, categories: listed(options.categories), numbers: listed(options.numbers) }
  const given = options.target === undefined ? [] : [options.target]
  for (const [flag, all] of [
    ['target', given],
    ['categories', asked.categories],
    ['numbers', asked.numbers],
  ] as const)
    for (const name of all) checkName(words.option(flag), name, names, words.holder)
  const found = await look(table, asked, words)
  const index = table.columns.find(({ isIndex, name }) => isIndex === true && name !== options.target)?.name
  const use = { as: 'left out', how: 'names or numbers the rows' } as const
  return {
    ...found,
    columns: found.columns.map((column) => (column.name === index ? { ...column, use } : column)),
  }
}
