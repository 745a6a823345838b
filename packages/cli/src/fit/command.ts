import { withTable, writeTable } from '@rlvi/tables'
import { saveModel } from '../model-file.js'
import { checkOutputs } from '../outputs.js'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { fitJson } from './json.js'
import type { FitOptions } from './options.js'
import { outcome, savedModel } from './outcome.js'
import { prepare } from './prepare.js'
import { rowsTable } from './rows.js'
import { fitText } from './text.js'

/** `rlvi fit`: read, fit, tell. */
export async function fitCommand(file: string, options: FitOptions, io: Io): Promise<void> {
  checkOutputs([file], { '--rows': options.rows, '--save': options.save })
  const started = performance.now()
  const prepared = await withTable(file, { table: options.table }, (table) => prepare(table, options))
  const done = outcome(prepared, options, started)
  for (const remark of done.remarks) io.remark(remark)
  if (options.rows !== undefined) await writeTable(options.rows, rowsTable(done))
  if (options.save !== undefined) await saveModel(options.save, savedModel(done))
  await io.out(options.json ? printableJson(fitJson(done)) : fitText(done))
}
