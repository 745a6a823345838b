import { fitTable, modelFor } from '@rlvi/estimator'
import { RlviError, show } from 'rlvi'
import { labelsOf } from '../fit/worst.js'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { filesName, withFiles } from '../table/open.js'
import type { Io } from '../terminal/io.js'
import type { TableAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'

/** The labels of a table: `fit`, reported as a list of suspects. */
export async function auditTable(
  files: readonly string[],
  options: TableAuditOptions,
  outputs: Readonly<Record<string, string | undefined>>,
  io: Io,
): Promise<Findings> {
  const { target, method, assumed, seed, missing, decimal, dateParts } = options
  const started = performance.now()
  const { columns, remarks, ...chosen } = await withFiles('audit', files, options, outputs, io, (opened) =>
    columnsToFit(opened, options),
  )
  for (const remark of remarks) io.remark(remark)
  const rules = { missing, decimal }
  const model = modelFor(target, columns.get(target)!, rules)
  if (model === 'linear') {
    const todo = `rlvi fit ${files.join(' ')} --target ${target} finds bad numbers`
    throw new RlviError(`column ${show(target)}`, 'labels are needed', `a ${model} target`, todo)
  }
  const how = { target, method, assumed, seed, dateParts, ...rules, ...chosen, reuse: true }
  const fit = fitTable(columns, how, flagWords(filesName(files)))
  for (const remark of fit.remarks) io.remark(remark)
  const suspects = Array.from(fit.clean, (clean, i): Suspect => {
    const { given, suggested, probability } = labelsOf(fit, i)
    return { row: fit.rows[i]!, label: given, suggested, probability, clean, loss: fit.losses[i]! }
  }).sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.row - b.row)
  const { level, interval, source } = fit.corruption
  return {
    name: filesName(files),
    how: `${fit.model.fitted.model}, ${method}`,
    suspects,
    flagged: fit.flagged,
    level: source === 'inferred' ? level : undefined,
    interval,
    cautions: fit.cautions,
    remarks: fit.remarks,
    unreadable: [],
    seconds: (performance.now() - started) / 1000,
  }
}
