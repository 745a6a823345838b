import { predictTable, type SavedModel, type TablePredictions } from '@rlvi/estimator'
import { beside, csvLines, keptColumns, type OutTable, type Table, withTable, writeTable } from '@rlvi/tables'
import { readColumns } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { loadModel } from '../table/model-file.js'
import type { Io } from '../terminal/io.js'
import { find } from '../terminal/names.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printable, printableJson } from '../terminal/printable.js'
import { isNetwork, type PredictOptions } from './options.js'
import { toRows } from './rows.js'

/** `rlvi predict`: a saved model's word on every row of a file, in the file's order. */
export async function predictCommand(
  modelFile: string,
  file: string,
  options: PredictOptions,
  io: Io,
): Promise<void> {
  // Networks are loaded when one is called for.
  if (isNetwork(modelFile)) return (await import('./network.js')).predictImages(modelFile, file, options, io)
  checkOutputs([modelFile, file], { '--rows': options.rows })
  const model = await loadModel(modelFile)
  const { strict, keep, intervals } = options
  const { columns, kept } = await withTable(file, { table: options.table }, async (table) => ({
    columns: await columnsToPredict(table, model),
    kept: keep ? await keptColumns(table) : [],
  }))
  const found = predictTable(model, columns, { strict, intervals, reuse: true }, flagWords(file))
  for (const remark of found.remarks) io.remark(remark)
  const table = beside(kept, toRows(model, found))
  if (options.rows !== undefined) await writeTable(options.rows, table)
  if (options.json)
    await io.out(printableJson({ ...summary(model, found), ...(options.rows ? {} : listed(table)) }))
  else if (options.rows === undefined) await print(table, io)
}

/** The model's features, and its target where the file has it. */
async function columnsToPredict(
  table: Table,
  { features, target }: SavedModel,
): ReturnType<typeof readColumns> {
  const names = features.map(({ name }) => find(table.path, name, table.columns).name)
  const known = table.columns.some(({ name }) => name === target?.name && !names.includes(name))
  return await readColumns(table, names, known ? target?.name : undefined)
}

async function print(table: OutTable, io: Io): Promise<void> {
  for (const lines of csvLines(table)) {
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
