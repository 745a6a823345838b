import { fitTable, flagBelow, type TableFit } from '@rlvi/estimator'
import { writeAtomic } from '@rlvi/io'
import { beside, keptColumns, type OutColumn, rowsOf } from '@rlvi/tables'
import { RlviError } from 'rlvi'
import { chosenColumns, columnsToFit } from '../table/columns.js'
import { showing } from '../table/fit-progress.js'
import { flagWords } from '../table/flag-words.js'
import { modelText } from '../table/model-file.js'
import { filesName, withFiles } from '../table/open.js'
import { writeRows } from '../table/write-rows.js'
import { busy, type Show } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { databaseAddress, fitInDatabase } from './database.js'
import type { FitFlags } from './flags.js'
import { toJson } from './json.js'
import { defaultMemory, fitsInto } from './memory.js'
import type { FitOptions } from './options.js'
import { fitOutOfCore } from './out-of-core.js'
import { type OwnTable, shownOf, withOthers, writeReport } from './report.js'
import { toRows } from './rows.js'
import { toText } from './text.js'

/** `rlvi fit`: read, fit, report. */
export async function fitCommand(
  files: readonly string[],
  options: FitOptions,
  given: FitFlags,
  io: Io,
): Promise<void> {
  const { rows, good, flagged, report, save, json, odds } = options
  const started = performance.now()
  const { fit, kept, own } = await busy(`reading ${printable(filesName(files))}`, (show) =>
    fitFiles(files, options, given, io, show),
  )
  const seconds = (performance.now() - started) / 1000
  if (odds) checkOdds(fit)
  for (const remark of fit.remarks) io.remark(remark)
  // Of a table that does not fit into memory they have been written while it was open.
  const isWritten = fit.part !== undefined
  if (rows !== undefined && !isWritten)
    await writeRows(rows, options.keep ? beside(kept, toRows(fit)) : toRows(fit), options, io)
  const all = { rows: fit.inputRows, columns: kept }
  if (good !== undefined && !isWritten) await writeRows(good, rowsOf(all, judged(fit, 'good')), options, io)
  if (flagged !== undefined && !isWritten)
    await writeRows(flagged, rowsOf(all, judged(fit, 'flagged')), options, io)
  if (fit.dropped > 0 && (good ?? flagged) !== undefined)
    io.remark(`rows with missing values were not judged: ${fit.dropped} are neither good nor flagged`)
  if (report !== undefined && own !== undefined)
    await writeReport(report, { files, options, given, fit, seconds, ...shownOf(files, fit, own, options) })
  if (save !== undefined) await writeAtomic(save, modelText(fit.model, filesName(files), knownLevel(fit)))
  await io.out(json ? printableJson(toJson(fit, seconds, odds)) : toText(fit, { odds, width: io.width }))
  if (report !== undefined) io.remark(`report: ${report}`)
}

async function fitFiles(
  files: readonly string[],
  options: FitOptions,
  given: FitFlags,
  io: Io,
  show: Show | undefined,
): Promise<{ readonly fit: TableFit; readonly kept: OutColumn[]; readonly own: OwnTable | undefined }> {
  const { rows, good, flagged, report, save } = options
  const address = databaseAddress(files, options)
  if (address !== undefined)
    return { fit: await fitInDatabase(address, options, show), kept: [], own: undefined }
  const outputs = { '--rows': rows, '--good': good, '--flagged': flagged, '--report': report, '--save': save }
  const keep = options.keep || good !== undefined || flagged !== undefined
  const memory = options.memory ?? defaultMemory()
  const found = await withFiles('fit', files, options, outputs, io, async (table) => {
    const asked = chosenColumns(table, options)
    const size = {
      fitted: asked.names.length + 1,
      kept: keep || report !== undefined ? table.columns.length : 0,
    }
    if (!(await fitsInto(table, size, memory))) {
      const started = performance.now()
      const fit = await fitOutOfCore(table, asked, options, memory, io, show, {
        check: (found) => options.odds && checkOdds(found),
        async report(path, found, shown) {
          const seconds = (performance.now() - started) / 1000
          await writeReport(path, { files, options, given, fit: found, seconds, ...shown })
        },
      })
      return { fit: { ...fit, remarks: [...asked.remarks, ...fit.remarks] }, kept: [], own: undefined }
    }
    const found = await columnsToFit(table, options, report !== undefined)
    return {
      chosen: found,
      kept: keep ? await keptColumns(table) : [],
      own: report === undefined ? undefined : await withOthers(table, found.columns, options),
    }
  })
  if (found.fit !== undefined) return found
  const { chosen, kept, own } = found
  const { columns, remarks, ...rest } = chosen
  for (const remark of remarks) io.remark(remark)
  show?.('preparing')
  // A report shows the columns as they are.
  const how = {
    ...options,
    ...rest,
    exclude: undefined,
    reuse: report === undefined,
    ...showing(show),
  }
  return { fit: fitTable(columns, how, flagWords(filesName(files))), kept, own }
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
