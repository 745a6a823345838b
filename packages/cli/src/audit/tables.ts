import { fitTable, modelFor } from '@rlvi/estimator'
import { withTable } from '@rlvi/tables'
import { RlviError, show } from 'rlvi'
import { labelsOf } from '../fit/worst.js'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import type { Io } from '../terminal/io.js'
import type { TableAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'

/** The labels of a table: `fit`, reported as a list of suspects. */
export async function auditTable(file: string, options: TableAuditOptions, io: Io): Promise<Findings> {
  const { target, table, method, assumed, seed } = options
  const started = performance.now()
  const columns = await withTable(file, { table }, (opened) => columnsToFit(opened, options))
  const model = modelFor(target, columns.get(target)!)
  if (model === 'linear') {
    const todo = `rlvi fit ${file} --target ${target} finds bad numbers`
    throw new RlviError(`column ${show(target)}`, 'labels are needed', `a ${model} target`, todo)
  }
  const fit = fitTable(columns, { target, method, assumed, seed, reuse: true }, flagWords(file))
  for (const remark of fit.remarks) io.remark(remark)
  const suspects = Array.from(fit.clean, (clean, i): Suspect => {
    const { given, suggested, probability } = labelsOf(fit, i)
    return { row: fit.rows[i]!, label: given, suggested, probability, clean, loss: fit.losses[i]! }
  }).sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.row - b.row)
  const { level, interval, source } = fit.corruption
  return {
    name: file,
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
