import { writeAtomic } from '@rlvi/io'
import { writeTable } from '@rlvi/tables'
import { flagName, isGiven } from '../terminal/flags.js'
import type { Io } from '../terminal/io.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printableJson } from '../terminal/printable.js'
import { type AuditFlags, auditFlags } from './flags.js'
import { auditImages } from './images.js'
import { toJson } from './json.js'
import type { ImageAuditOptions, TableAuditOptions } from './options.js'
import { reportPage } from './report.js'
import { rowsTable } from './rows.js'
import { auditTable } from './tables.js'
import { toText } from './text.js'

/** `rlvi audit`: the samples whose labels look wrong, worst first. */
export async function auditCommand(
  what: string,
  options: ImageAuditOptions | TableAuditOptions,
  flags: AuditFlags,
  io: Io,
): Promise<void> {
  const { kind, top, rows, report, json } = options
  checkOutputs(kind === 'table' ? [what] : [], { '--rows': rows, '--report': report })
  const found = kind === 'table' ? await auditTable(what, options, io) : await auditImages(what, options, io)
  if (rows !== undefined) await writeTable(rows, rowsTable(found))
  if (report !== undefined) await writeAtomic(report, await reportPage(found, top, commandLine(what, flags)))
  await io.out(json ? printableJson(toJson(found, top)) : toText(found, top, io.width))
  if (report !== undefined) io.remark(`report: ${report}`)
}

/** The command line again, for who reads the report later. */
function commandLine(what: string, flags: AuditFlags): string {
  const given = Object.entries(flags).flatMap(([key, value]) => {
    const flag = auditFlags[key as keyof AuditFlags]
    if (!isGiven(flag, value)) return []
    const name = flagName(key, flag)
    return typeof value === 'boolean' ? name : `${name} ${Array.isArray(value) ? value.join(',') : value}`
  })
  return ['rlvi audit', what, ...given].join(' ')
}
