import { stat } from 'node:fs/promises'
import { writeAtomic } from '@rlvi/io'
import { writeTable } from '@rlvi/tables'
import { checkOutputs } from '../outputs.js'
import type { Io } from '../terminal/io.js'
import { auditImages } from './images.js'
import { type AuditFlags, imageAuditOptions, tableAuditOptions } from './options.js'
import { reportPage } from './report.js'
import { findingsJson, findingsTable, findingsText } from './suspects.js'
import { auditTable } from './tables.js'

/** `rlvi audit`: the samples whose labels look wrong, worst first. */
export async function auditCommand(what: string, flags: AuditFlags, io: Io): Promise<void> {
  // A file is a table, as is whatever has a target; all else is a data set or a folder of images.
  const isTable = flags.target !== undefined || (await isFile(what))
  const options = isTable ? tableAuditOptions(flags) : imageAuditOptions(flags)
  const { top, rows, report, json } = options
  checkOutputs(isTable ? [what] : [], { '--rows': rows, '--report': report })
  const found =
    'networks' in options ? await auditImages(what, options, io) : await auditTable(what, flags, io)
  if (rows !== undefined) await writeTable(rows, findingsTable(found))
  if (report !== undefined) await writeAtomic(report, await reportPage(found, top, commandOf(what, flags)))
  await io.out(json ? findingsJson(found, top) : findingsText(found, top))
  if (report !== undefined) io.remark(`report: ${report}`)
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** The command line again, for who reads the report later. */
function commandOf(what: string, flags: AuditFlags): string {
  const told = Object.entries(flags).map(([name, value]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return value === true ? flag : `${flag} ${Array.isArray(value) ? value.join(',') : value}`
  })
  return ['rlvi audit', what, ...told].join(' ')
}
