import {
  type CellRules,
  type Column,
  predictTable,
  type SavedModel,
  type TablePredictions,
} from '@rlvi/estimator'
import { beside, csvLines, keptColumns, type OutTable, read, type Table } from '@rlvi/tables'
import { flagWords } from '../table/flag-words.js'
import { loadModel } from '../table/model-file.js'
import { filesName, withFiles } from '../table/open.js'
import { writeRows } from '../table/write-rows.js'
import type { Io } from '../terminal/io.js'
import { find } from '../terminal/names.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printable, printableJson } from '../terminal/printable.js'
import { cellRules } from '../terminal/reading-flags.js'
import { isNetwork, type PredictOptions } from './options.js'
import { toRows } from './rows.js'

/** `rlvi predict`: a saved model's word on every row of a file, in the file's order. */
export async function predictCommand(
  modelFile: string,
  files: readonly string[],
  options: PredictOptions,
  io: Io,
): Promise<void> {
  // Networks are loaded when one is called for.
  if (isNetwork(modelFile))
    return (await import('./network.js')).predictImages(modelFile, files[0]!, options, io)
  checkOutputs([modelFile], { '--rows': options.rows })
  const model = await loadModel(modelFile)
  // What stood for a missing value in the rows that the model learned from still does.
  const { strict, keep, intervals } = options
  const rules = { ...cellRules(options), missing: options.missing ?? model.missing }
  const { columns, kept } = await withFiles(
    'predict',
    files,
    options,
    { '--rows': options.rows },
    io,
    async (table) => ({
      columns: await columnsToPredict(table, model, rules),
      kept: keep ? await keptColumns(table) : [],
    }),
  )
  const how = { strict, intervals, ...rules, reuse: true }
  const found = predictTable(model, columns, how, flagWords(filesName(files)))
  for (const remark of found.remarks) io.remark(remark)
  const table = beside(kept, toRows(model, found))
  if (options.rows !== undefined) await writeRows(options.rows, table, options, io)
  if (options.json)
    await io.out(printableJson({ ...summary(model, found), ...(options.rows ? {} : listed(table)) }))
  else if (options.rows === undefined) await print(table, options, io)
}

/** The model's features, and its target where the file has it. */
async function columnsToPredict(
  table: Table,
  { features, target }: SavedModel,
  rules: CellRules,
): Promise<Map<string, Column>> {
  // Several features may come from one column, as the parts of a date do.
  const names = [...new Set(features.map(({ name }) => find(table.path, name, table.columns).name))]
  const known = table.columns.some(({ name }) => name === target?.name && !names.includes(name))
  return await read(table, { features: names, target: known ? target?.name : undefined, ...rules })
}

async function print(table: OutTable, options: PredictOptions, io: Io): Promise<void> {
  for (const lines of csvLines(table, options)) {
    // To a program the data as they are; to a terminal without control characters.
    await io.out(io.terminal ? lines.split('\n').map(printable).join('\n') : lines)
  }
}

function summary(model: SavedModel, { inputRows, rows, missing, unseen, error }: TablePredictions): object {
  const predicted = rows.length
  return { model: model.fitted.model, rows: inputRows, predicted, missing, unseen, error: error ?? null }
}

function listed(table: OutTable): object {
  const predictions = Array.from({ length: table.rows }, (_, row) =>
    Object.fromEntries(
      table.columns.map(({ name, at }) => {
        const value = at(row)
        return [name, Number.isNaN(value) ? null : value]
      }),
    ),
  )
  return { predictions }
}
