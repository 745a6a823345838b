import { fitTable, type TableFit } from '@rlvi/estimator'
import { labelsOf } from '../fit/worst.js'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { filesName, withFiles } from '../table/open.js'
import type { Io } from '../terminal/io.js'
import type { TableAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'

/** The labels or numbers of a table: `fit`, reported as a list of suspects. */
export async function auditTable(
  files: readonly string[],
  options: TableAuditOptions,
  outputs: Readonly<Record<string, string | undefined>>,
  io: Io,
): Promise<Findings> {
  const started = performance.now()
  const { columns, remarks, ...chosen } = await withFiles('audit', files, options, outputs, io, (opened) =>
    columnsToFit(opened, options),
  )
  for (const remark of remarks) io.remark(remark)
  const how = { ...options, ...chosen, exclude: undefined, labels: true, reuse: true }
  const fit = fitTable(columns, how, flagWords(filesName(files)))
  for (const remark of fit.remarks) io.remark(remark)
  const suspects = Array.from(
    fit.clean,
    (clean, i): Suspect => ({ row: fit.rows[i]!, ...said(fit, i), clean, loss: fit.losses[i]! }),
  ).sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.row - b.row)
  const { level, interval, source } = fit.corruption
  return {
    name: filesName(files),
    how: `${fit.model.fitted.model}, ${options.method}`,
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

/** What a row has for the target, and what the model would have there. */
function said(fit: TableFit, i: number): Pick<Suspect, 'label' | 'suggested' | 'probability'> {
  const { response, predicted } = fit
  if (response!.classes === undefined) return { label: response!.y[i]!, suggested: predicted![i]! }
  const { given, suggested, probability } = labelsOf(fit, i)
  return { label: given, suggested, probability }
}
