import { csvLines, type OutTable, withTable, writeTable } from '@rlvi/tables'
import { loadModel } from '../model-file.js'
import { checkOutputs } from '../outputs.js'
import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { type Applied, apply } from './apply.js'
import { isNetwork, type PredictOptions } from './options.js'
import { predictionsTable } from './table.js'

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
  const saved = await loadModel(modelFile)
  const applied = await withTable(file, { table: options.table }, (table) =>
    apply(table, saved, options.strict),
  )
  for (const remark of remarks(applied)) io.remark(remark)
  const table = predictionsTable(saved, applied)
  if (options.rows !== undefined) await writeTable(options.rows, table)
  if (options.json)
    await io.out(printableJson({ ...summary(applied), ...(options.rows ? {} : listed(table)) }))
  else if (options.rows === undefined) await print(table, io)
}

async function print(table: OutTable, io: Io): Promise<void> {
  for (const lines of csvLines(table)) {
    // To a program the data as they are; to a terminal without control characters.
    await io.out(io.terminal ? lines.split('\n').map(printable).join('\n') : lines)
  }
}

function summary({ saved, inputRows, predicted, missing, unseen, error }: Applied): object {
  return { model: saved.fitted.model, rows: inputRows, predicted, missing, unseen, error: error ?? null }
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

function remarks({ inputRows, missing, unseen, firstUnseen, error }: Applied): string[] {
  const out: string[] = []
  if (missing > 0) out.push(`no prediction for ${missing} of ${inputRows} rows: values are missing`)
  if (firstUnseen !== undefined) {
    const { column, value, row } = firstUnseen
    const first = `the first in row ${row}, column ${JSON.stringify(column)}: ${JSON.stringify(value)}`
    out.push(
      `no prediction for ${unseen} of ${inputRows} rows: categories that the model has never seen, ${first}`,
    )
  }
  if (error !== undefined) {
    const [name, value] = 'rmse' in error ? ['rmse', error.rmse] : ['accuracy', error.accuracy]
    out.push(`${name} ${Number(value.toPrecision(5))} on the ${error.rows} rows with a known target`)
  }
  return out
}
