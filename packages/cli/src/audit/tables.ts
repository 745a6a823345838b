import { fitTable, judgeOutOfFold, type TableFit, withCurves } from '@rlvi/estimator'
import { columnsToFit } from '../table/columns.js'
import { showing } from '../table/fit-progress.js'
import { flagWords } from '../table/flag-words.js'
import { filesName, withFiles } from '../table/open.js'
import { busy } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import { rowIndex, rowNumber } from '../terminal/row-number.js'
import type { TableAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'
import { valueAt } from './values.js'

/**
 * The labels or numbers of a table: `fit` says how many are wrong; of labels, fits to other rows say what each one looks
 * like.
 */
export async function auditTable(
  files: readonly string[],
  options: TableAuditOptions,
  outputs: Readonly<Record<string, string | undefined>>,
  io: Io,
): Promise<Findings> {
  const { target, method, assumed, intercept, seed, folds, curves } = options
  const started = performance.now()
  const { columns, remarks, ...chosen } = await withFiles('audit', files, options, outputs, io, (opened) =>
    columnsToFit(opened, options, true),
  )
  for (const remark of remarks) io.remark(remark)
  const fitted = curves ? withCurves(columns, target) : columns
  // Who named columns means their curves too.
  const features = chosen.features && [...fitted.keys()].filter((name) => name !== target)
  const how = { ...options, ...chosen, features, exclude: undefined, labels: true }
  const fit = await busy('fitting', (show) =>
    fitTable(fitted, { ...how, ...showing(show) }, flagWords(filesName(files))),
  )
  for (const remark of fit.remarks) io.remark(remark)
  const ofLabels = fit.response!.classes !== undefined
  const suspects = ofLabels
    ? await busy('judging', (show) => {
        const onProgress = (share: number): void =>
          show?.(`judging ${fit.rows.length} labels in ${folds} parts, each by a fit to the others`, share)
        onProgress(0)
        return labelSuspects(
          fit,
          judgeOutOfFold(fit, { target, method, assumed, intercept, seed, folds, onProgress }),
        )
      })
    : numberSuspects(fit)
  const { level, interval, source } = fit.corruption
  const names = [...columns.keys()].filter((name) => name !== target)
  return {
    name: filesName(files),
    how: `${fit.model.fitted.model}${curves ? ' with curves' : ''}, ${method}${ofLabels ? `, ${folds} folds` : ''}`,
    suspects,
    flagged: fit.flagged,
    level: source === 'inferred' ? level : undefined,
    interval,
    habits: fit.habits,
    cautions: fit.cautions,
    remarks: fit.remarks.filter((remark) => !fit.cautions.some(({ message }) => remark.includes(message))),
    unreadable: [],
    values: { names, of: ({ row }) => names.map((name) => valueAt(columns.get(name)!, rowIndex(row))) },
    seconds: (performance.now() - started) / 1000,
  }
}

/** Labels, the most suspicious first. P(right) is the fit's own: it too judges a label as if its row were not there. */
function labelSuspects(fit: TableFit, judged: ReturnType<typeof judgeOutOfFold>): Suspect[] {
  const { y, classes = [] } = fit.response!
  return worstFirst(fit, (i) => ({
    label: classes[y[i]!]!,
    suggested: classes[judged.suggested[i]!]!,
    probability: judged.probability[i]!,
    loss: judged.losses[i]!,
  }))
}

/** Numbers, with what was to be expected in their place. */
function numberSuspects(fit: TableFit): Suspect[] {
  const { y } = fit.response!
  return worstFirst(fit, (i) => ({ label: y[i]!, suggested: fit.predicted![i]!, loss: fit.losses[i]! }))
}

function worstFirst(
  { clean, rows }: TableFit,
  said: (i: number) => Omit<Suspect, 'row' | 'clean'>,
): Suspect[] {
  return Array.from(clean, (p, i): Suspect => ({ row: rowNumber(rows[i]!), ...said(i), clean: p })).sort(
    (a, b) => a.clean - b.clean || b.loss - a.loss || a.row - b.row,
  )
}
