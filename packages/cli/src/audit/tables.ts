import { withTable } from '@rlvi/tables'
import { RlviError } from 'rlvi'
import { fitOptions } from '../fit/options.js'
import { outcome } from '../fit/outcome.js'
import { prepare } from '../fit/prepare.js'
import type { Io } from '../terminal/io.js'
import { type AuditFlags, tableAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'

/** The labels of a table: `fit`, told as a list of suspects. */
export async function auditTable(file: string, flags: AuditFlags, io: Io): Promise<Findings> {
  const { target } = tableAuditOptions(flags)
  const started = performance.now()
  const options = fitOptions({
    target,
    ...(flags.features === undefined ? {} : { features: flags.features }),
    ...(flags.exclude === undefined ? {} : { exclude: flags.exclude }),
    ...(flags.table === undefined ? {} : { table: flags.table }),
    ...(flags.method === undefined ? {} : { method: flags.method }),
    ...(flags.assume === undefined ? {} : { assume: flags.assume }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
  })
  const prepared = await withTable(file, { table: options.table }, (table) => prepare(table, options))
  const classes = prepared.target?.classes
  if (classes === undefined) {
    const todo = `rlvi fit ${file} --target ${target} finds bad numbers`
    throw new RlviError(`column "${target}"`, 'labels are needed', `a ${prepared.model} target`, todo)
  }
  const done = outcome(prepared, options, started)
  for (const remark of done.remarks) io.remark(remark)
  const { fit, told } = done
  const suspects = Array.from(fit.clean, (clean, i): Suspect => {
    const suggested = told.suggested![i]!
    const p = told.predicted![i]!
    return {
      row: prepared.rows[i]!,
      label: classes[prepared.target!.y[i]!]!,
      suggested: classes[suggested]!,
      probability: prepared.model === 'logistic' && suggested === 0 ? 1 - p : p,
      clean,
      loss: fit.losses[i]!,
    }
  }).sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.row - b.row)
  const how = `${prepared.model}, ${options.method}`
  const level = fit.corruption.source === 'inferred' ? fit.corruption.level : undefined
  return { name: file, how, suspects, flagged: done.flagged, level, seconds: done.seconds }
}
