import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isAlive } from './alive.js'

/** Names may have 255 bytes; the rest is for what is added here. */
const LONGEST = 220
/** Nothing is written for longer than a day. */
const STALE = 24 * 3600 * 1000

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const machine = digest(hostname()).slice(0, 6)
const swept = new Set<string>()

/**
 * A new name in the folder of a file, for what will become that file: no two writers share one, and it says whose it is,
 * `.NAME.MACHINE-PROCESS-RANDOM.tmp`, so that others can see whether its writer is still alive.
 */
export function nameBeside(path: string): string {
  const name = basename(path)
  const short = Buffer.byteLength(name) > LONGEST ? digest(name) : name
  const random = randomBytes(4).toString('hex')
  return join(dirname(path), `.${short}.${machine}-${process.pid}-${random}.tmp`)
}

/** As `nameBeside`, for a folder: `.NAME.MACHINE-PROCESS-RANDOM.part`. */
export function folderBeside(path: string): string {
  return nameBeside(path).replace(/tmp$/, 'part')
}

/** The folder that one of `folderBeside` was to become, where the process that made it has ended. */
export function isLeftBeside(parent: string, name: string): string | undefined {
  const found = /^\.(.+)\.([0-9a-f]{6})-(\d+)-[0-9a-f]{8}\.part$/.exec(name)
  if (found === null || !isLeft(join(parent, name), found[2]!, Number(found[3]))) return undefined
  return join(parent, found[1]!)
}

/**
 * Removes what killed processes left in a folder, so that many kills leave no heap of files. Once for each folder: a
 * process removes its own leftovers itself.
 */
export function removeLeftovers(folder: string, unfinished: ReadonlySet<string>): void {
  if (swept.has(folder)) return
  swept.add(folder)
  for (const name of namesIn(folder)) {
    const found = /^\..+\.([0-9a-f]{6})-(\d+)-[0-9a-f]{8}\.tmp$/.exec(name)
    if (found === null) continue
    const path = join(folder, name)
    if (!unfinished.has(path) && isLeft(path, found[1]!, Number(found[2]))) rmSync(path, { force: true })
  }
}

function isLeft(path: string, owner: string, pid: number): boolean {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (written === undefined) return false
  if (Date.now() - written > STALE) return true
  // Of other machines' processes nothing is known.
  if (owner !== machine) return false
  // A process before this one may have had its number.
  if (pid === process.pid) return written < Date.now() - 1000 * process.uptime()
  return !isAlive(pid)
}

/** A folder may be open for writing and closed for reading. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
