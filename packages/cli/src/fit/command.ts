import { fitTable, flagBelow, type TableFit } from '@rlvi/estimator'
import { writeAtomic } from '@rlvi/io'
import { beside, keptColumns, type OutColumn, rowsOf } from '@rlvi/tables'
import { RlviError } from 'rlvi'
import { columnsToFit } from '../table/columns.js'
import { flagWords } from '../table/flag-words.js'
import { modelText } from '../table/model-file.js'
import { filesName, withFiles } from '../table/open.js'
import { writeRows } from '../table/write-rows.js'
import { busy } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { toJson } from './json.js'
import type { FitOptions } from './options.js'
import { toRows } from './rows.js'
import { toText } from './text.js'

/** `rlvi fit`: read, fit, report. */
export async function fitCommand(files: readonly string[], options: FitOptions, io: Io): Promise<void> {
  const { rows, good, flagged, save, json, odds } = options
  const started = performance.now()
  const { fit, kept } = await busy('fitting', () => fitFiles(files, options, io))
  const seconds = (performance.now() - started) / 1000
  if (odds) checkOdds(fit)
  for (const remark of fit.remarks) io.remark(remark)
  if (rows !== undefined)
    await writeRows(rows, options.keep ? beside(kept, toRows(fit)) : toRows(fit), options, io)
  const all = { rows: fit.inputRows, columns: kept }
  if (good !== undefined) await writeRows(good, rowsOf(all, judged(fit, 'good')), options, io)
  if (flagged !== undefined) await writeRows(flagged, rowsOf(all, judged(fit, 'flagged')), options, io)
  if (fit.dropped > 0 && (good ?? flagged) !== undefined)
    io.remark(`rows with missing values were not judged: ${fit.dropped} are neither good nor flagged`)
  if (save !== undefined) await writeAtomic(save, modelText(fit.model, filesName(files), knownLevel(fit)))
  await io.out(json ? printableJson(toJson(fit, seconds, odds)) : toText(fit, { odds, width: io.width }))
}

async function fitFiles(
  files: readonly string[],
  options: FitOptions,
  io: Io,
): Promise<{ readonly fit: TableFit; readonly kept: OutColumn[] }> {
  const { rows, good, flagged, save } = options
  const outputs = { '--rows': rows, '--good': good, '--flagged': flagged, '--save': save }
  const keep = options.keep || good !== undefined || flagged !== undefined
  const { chosen, kept } = await withFiles('fit', files, options, outputs, io, async (table) => ({
    chosen: await columnsToFit(table, options),
    kept: keep ? await keptColumns(table) : [],
  }))
  const { columns, remarks, ...rest } = chosen
  for (const remark of remarks) io.remark(remark)
  const how = { ...options, ...rest, exclude: undefined, reuse: true }
  return { fit: fitTable(columns, how, flagWords(filesName(files))), kept }
}

/** The share of bad rows, where it was found in them. */
function knownLevel({ corruption: { level, source } }: TableFit): number | undefined {
  return source === 'inferred' ? level : undefined
}

/** The numbers of the rows that are good rather than bad, or the other way round. */
function judged({ rows, clean }: TableFit, as: 'good' | 'flagged'): Int32Array {
  return rows.filter((_, i) => clean[i]! < flagBelow === (as === 'flagged'))
}

/** Ratios are e to the power of a coefficient, which means something where a unit more of a feature multiplies. */
function checkOdds({ model: { fitted } }: TableFit): void {
  if (fitted.model === 'logistic' || fitted.model === 'poisson') return
  const rule = 'odds ratios are for two labels (--model logistic), rate ratios for counts (--model poisson)'
  throw new RlviError('--odds', rule, fitted.model, 'leave it out')
}
