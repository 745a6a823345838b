import { fitTable, type TableFit } from '@rlvi/estimator'
import { writeTable } from '@rlvi/tables'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { saveModel } from '../table/model-file.js'
import { filesName, withFiles } from '../table/open.js'
import { busy } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { toJson } from './json.js'
import type { FitOptions } from './options.js'
import { toRows } from './rows.js'
import { toText } from './text.js'

/** `rlvi fit`: read, fit, report. */
export async function fitCommand(files: readonly string[], options: FitOptions, io: Io): Promise<void> {
  const started = performance.now()
  const fit = await busy('fitting', () => fitFiles(files, options, io))
  const seconds = (performance.now() - started) / 1000
  for (const remark of fit.remarks) io.remark(remark)
  if (options.rows !== undefined) await writeTable(options.rows, toRows(fit))
  if (options.save !== undefined) await saveModel(options.save, fit.model)
  await io.out(options.json ? printableJson(toJson(fit, seconds)) : toText(fit))
}

async function fitFiles(files: readonly string[], options: FitOptions, io: Io): Promise<TableFit> {
  const outputs = { '--rows': options.rows, '--save': options.save }
  const { columns, remarks, ...chosen } = await withFiles('fit', files, options, outputs, io, (table) =>
    columnsToFit(table, options),
  )
  for (const remark of remarks) io.remark(remark)
  return fitTable(
    columns,
    { ...options, ...chosen, exclude: undefined, reuse: true },
    flagWords(filesName(files)),
  )
}
