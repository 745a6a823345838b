import { writeAtomic } from '@rlvi/io'
import { writeRows } from '../table/write-rows.js'
import { commandLine } from '../terminal/command-line.js'
import type { Io } from '../terminal/io.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printableJson } from '../terminal/printable.js'
import { alone } from '../train/checkpoint.js'
import { weightFiles } from '../train/learn.js'
import { decisionsTable } from './decisions.js'
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
  data: readonly string[],
  options: ImageAuditOptions | TableAuditOptions,
  flags: AuditFlags,
  io: Io,
): Promise<void> {
  const { kind, top, rows, report, decisions, json } = options
  const outputs = { '--rows': rows, '--report': report, '--decisions': decisions }
  checkOutputs(kind === 'table' ? [] : weightFiles(options), outputs)
  const found =
    kind === 'table'
      ? await auditTable(data, options, outputs, io)
      : await alone(options.checkpoint, () => auditImages(data[0]!, options, io))
  if (rows !== undefined) await writeRows(rows, rowsTable(found), options, io)
  if (report !== undefined) {
    const command = commandLine('audit', data, auditFlags, flags)
    await writeAtomic(report, await reportPage(found, { top, command, path: report }))
  }
  if (decisions !== undefined) await writeRows(decisions, decisionsTable(found, top), options, io)
  await io.out(json ? printableJson(toJson(found, top)) : toText(found, top, io.width))
  if (report !== undefined) io.remark(`report: ${report}`)
}
