import { fitTable, judgeOutOfFold, modelFor, type TableFit, withCurves } from '@rlvi/estimator'
import { withTable } from '@rlvi/tables'
import { RlviError, show } from 'rlvi'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { busy } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import type { TableAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'
import { valueAt } from './values.js'

/** The labels of a table: `fit` says how many are wrong, fits to other rows what each one looks like. */
export async function auditTable(file: string, options: TableAuditOptions, io: Io): Promise<Findings> {
  const { target, table, method, assumed, seed, folds } = options
  const started = performance.now()
  const columns = await withTable(file, { table }, (opened) => columnsToFit(opened, options))
  const model = modelFor(target, columns.get(target)!)
  if (model === 'linear') {
    const todo = `rlvi fit ${file} --target ${target} finds bad numbers`
    throw new RlviError(`column ${show(target)}`, 'labels are needed', `a ${model} target`, todo)
  }
  const how = { target, method, assumed, seed }
  const fitted = options.curves ? withCurves(columns, target) : columns
  const fit = await busy('fitting', () => fitTable(fitted, how, flagWords(file)))
  for (const remark of fit.remarks) io.remark(remark)
  const suspects = await busy(`judging ${folds} parts by fits to the others`, () =>
    suspectsOf(fit, judgeOutOfFold(fit, { ...how, folds })),
  )
  const { level, interval, source } = fit.corruption
  const names = [...columns.keys()].filter((name) => name !== target)
  return {
    name: file,
    how: `${fit.model.fitted.model}${options.curves ? ' with curves' : ''}, ${method}, ${folds} folds`,
    suspects,
    flagged: fit.flagged,
    level: source === 'inferred' ? level : undefined,
    interval,
    cautions: fit.cautions,
    remarks: fit.remarks.filter((remark) => !fit.cautions.some(({ message }) => remark.includes(message))),
    unreadable: [],
    values: { names, of: ({ row }) => names.map((name) => valueAt(columns.get(name)!, row)) },
    seconds: (performance.now() - started) / 1000,
  }
}

/** All rows, the most suspicious first. P(right) is the fit's own: it too judges a label as if its row were not there. */
function suspectsOf(fit: TableFit, judged: ReturnType<typeof judgeOutOfFold>): Suspect[] {
  const { name: _, y, classes = [] } = fit.response!
  return Array.from(fit.clean, (clean, i): Suspect => {
    const label = classes[y[i]!]!
    const suggested = classes[judged.suggested[i]!]!
    const [probability, loss] = [judged.probability[i]!, judged.losses[i]!]
    return { row: fit.rows[i]!, label, suggested, probability, clean, loss }
  }).sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.row - b.row)
}
