import { createHash } from 'node:crypto'
import { mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './alive.js'
import { namesIn } from './beside.js'

/**
 * Makes a folder for files that nobody needs after the work, `rlvi-MACHINE-PROCESS-RANDOM` where the system keeps such. Those of
 * processes that were killed are removed: a working copy can be as large as its table.
 */
export function temporaryFolder(): string {
  const parent = tmpdir()
  const own = `rlvi-${numbering()}-`
  for (const name of namesIn(parent)) {
    const pid = name.startsWith(own) && /^(\d+)-\w{6}$/.exec(name.slice(own.length))?.[1]
    if (pid && Number(pid) !== process.pid && !isAlive(Number(pid))) removeOwn(join(parent, name))
  }
  return mkdtempSync(join(parent, `${own}${process.pid}-`))
}

/** Where the numbers of processes are told apart: of those of another machine or container nothing is known. */
function numbering(): string {
  return createHash('sha256').update(`${hostname()} ${namespace()}`).digest('hex').slice(0, 6)
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function removeOwn(path: string): void {
  try {
    // The folder above belongs to all who use the machine.
    if (statSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true })
  } catch {
    // Another process was quicker.
  }
}
