import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { IoError } from '../errors.js'
import { cleanUpOnExit } from '../signals.js'
import { systemError } from '../system-error.js'
import { isAlive, startOf } from './alive.js'
import { nameBeside, removeLeftovers } from './beside.js'
import { destination } from './destination.js'
import { writeAllSync } from './write-all.js'

/** Who holds a lock. A number of a process is used again; with its start it is one process. */
interface Owner {
  readonly pid: number
  readonly started: string
  readonly machine: string
}

/** Of a process on another machine nothing is known but that it says from time to time that it is at work (ms). */
const SAYS_EVERY = 30_000
const SILENT = 5 * 60_000
/** To remove the lock of one that has ended takes less (ms). */
const TAKING = 5000

/**
 * Takes a lock, so that of two processes one alone works on something: a file that only one of them can make, and that says
 * whose it is. A lock whose owner has ended, however that was, is taken over. Returns what gives it back, which also happens
 * when the process ends.
 *
 * @param path - of the lock, such as `state.json.lock`; its folder is made
 * @param what - what only one may work on, for the error
 * @throws IoError - another process is at work
 */
export function lock(path: string, what: string): () => void {
  let made: string | undefined
  try {
    made = mkdirSync(dirname(path), { recursive: true })
    removeLeftovers(dirname(path), new Set())
    for (;;) {
      if (make(path)) break
      const holder = ownerAt(path)
      if (holder === undefined) continue
      if (isAtWork(holder.owner, holder.since)) throw inUse(path, what, holder.owner)
      takeAway(path)
    }
  } catch (error) {
    if (error instanceof IoError) throw error
    throw new IoError(what, 'could not be written', systemError(error), 'check the folder')
  }
  const timer = setInterval(() => touch(path), SAYS_EVERY)
  timer.unref()
  const keep = cleanUpOnExit(() => rmSync(path, { force: true }))
  let held = true
  return () => {
    if (!held) return
    held = false
    clearInterval(timer)
    keep()
    rmSync(path, { force: true })
    if (made !== undefined) removeEmpty(dirname(path))
  }
}

/** The lock of a file, whatever name it goes by. */
export function lockFile(path: string): () => void {
  return lock(`${destination(path)}.lock`, path)
}

/** The lock of a folder, in it. A folder that is made for it, and nothing comes into, goes with it. */
export function lockFolder(path: string): () => void {
  return lock(join(destination(path), '.rlvi.lock'), path)
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something is in it by now.
  }
}

/** Makes the file with all that is in it in one step; false where there is one. */
function make(path: string): boolean {
  const draft = nameBeside(path)
  const own: Owner = { pid: process.pid, started: startOf('self') ?? '', machine: hostname() }
  const file = openSync(draft, 'wx')
  try {
    try {
      writeAllSync(file, Buffer.from(`${JSON.stringify(own)}\n`))
    } finally {
      closeSync(file)
    }
    linkSync(draft, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== undefined && withoutLinks.has(code)) return makeHere(path, own)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** What file systems say that have no second names for files. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** In two steps: killed between them, a process leaves a lock of nobody, which counts for a few minutes. */
function makeHere(path: string, own: Owner): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(own)}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Undefined where it has just been given back. */
function ownerAt(path: string): { owner: Owner | undefined; since: number } | undefined {
  try {
    const found = statSync(path)
    if (!found.isFile())
      throw new IoError(path, 'a file is needed for the lock', 'something else', 'remove it')
    return { owner: parsed(readFileSync(path, 'utf8')), since: found.mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined for what is no lock: a file of that name that someone else has put there. */
function parsed(text: string): Owner | undefined {
  try {
    const { pid, started, machine } = JSON.parse(text) as Partial<Owner>
    if (Number.isSafeInteger(pid) && typeof started === 'string' && typeof machine === 'string')
      return { pid: pid!, started, machine }
  } catch {}
  return undefined
}

function isAtWork(owner: Owner | undefined, said: number): boolean {
  if (owner === undefined || owner.machine !== hostname()) return Date.now() - said < SILENT
  if (owner.pid === process.pid) return owner.started === (startOf('self') ?? '')
  if (!isAlive(owner.pid)) return false
  const started = startOf(owner.pid)
  return started === undefined || started === owner.started
}

/**
 * Removes the lock of one that has ended. One process alone does so at a time, and looks once more: meanwhile another may have
 * taken the lock over, whose file even has the number on the disk that the one before had.
 */
function takeAway(path: string): void {
  const guard = `${path}.taking`
  try {
    mkdirSync(guard)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // It is a matter of microseconds, but for one that was killed at it.
    const since = statSync(guard, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > TAKING) removeEmpty(guard)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return
  }
  try {
    const holder = ownerAt(path)
    if (holder !== undefined && !isAtWork(holder.owner, holder.since)) rmSync(path, { force: true })
  } finally {
    removeEmpty(guard)
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Whoever took it away will say so.
  }
}

function inUse(path: string, what: string, owner: Owner | undefined): IoError {
  const got =
    owner === undefined
      ? `a file ${path}`
      : `process ${owner.pid}${owner.machine === hostname() ? '' : ` on ${JSON.stringify(owner.machine)}`} at work on it`
  const todo = `end the other one first; if there is none, remove ${path}`
  return new IoError(what, 'one run at a time is needed', got, todo)
}
