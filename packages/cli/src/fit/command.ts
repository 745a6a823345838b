import { fitTable, type TableFit } from '@rlvi/estimator'
import { withTable, writeTable } from '@rlvi/tables'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { saveModel } from '../table/model-file.js'
import { busy } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printableJson } from '../terminal/printable.js'
import { toJson } from './json.js'
import type { FitOptions } from './options.js'
import { toRows } from './rows.js'
import { toText } from './text.js'

/** `rlvi fit`: read, fit, report. */
export async function fitCommand(file: string, options: FitOptions, io: Io): Promise<void> {
  checkOutputs([file], { '--rows': options.rows, '--save': options.save })
  const started = performance.now()
  const fit = await busy('fitting', () => fitFile(file, options))
  const seconds = (performance.now() - started) / 1000
  for (const remark of fit.remarks) io.remark(remark)
  if (options.rows !== undefined) await writeTable(options.rows, toRows(fit))
  if (options.save !== undefined) await saveModel(options.save, fit.model)
  await io.out(options.json ? printableJson(toJson(fit, seconds)) : toText(fit))
}

async function fitFile(file: string, options: FitOptions): Promise<TableFit> {
  const columns = await withTable(file, { table: options.table }, (table) => columnsToFit(table, options))
  // The columns have been chosen.
  const how = { ...options, features: undefined, exclude: undefined, reuse: true }
  return fitTable(columns, how, flagWords(file))
}
