import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { IoError } from './errors.js'
import { systemError } from './system-error.js'

const unfinished = new Set<string>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true })
}

/** Cleans up, then lets the signal do what it does. */
function onSignal(signal: NodeJS.Signals): void {
  removeUnfinished()
  unwatch()
  process.kill(process.pid, signal)
}

// Only while a file is being written: a listener would keep Ctrl-C from ending a long computation at once.
function watch(): void {
  process.once('exit', removeUnfinished)
  for (const signal of signals) process.once(signal, onSignal)
}

function unwatch(): void {
  process.off('exit', removeUnfinished)
  for (const signal of signals) process.off(signal, onSignal)
}

/**
 * Writes a file so that it is never half there: `write` fills a file beside it, which then takes its name in one step.
 * On any failure, and when the process is told to end, what was written so far is removed and an older file stays.
 */
export async function atomically(path: string, write: (path: string) => Promise<void>): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path)
    const found = await stat(target).catch(() => undefined)
    if (found?.isDirectory())
      throw new IoError(path, 'a file to write is needed', 'a folder', 'give a file name')
    // A device or a pipe has no place beside it, and must not be replaced by a file.
    if (found !== undefined && !found.isFile()) await write(target)
    else await replace(target, write)
  } catch (error) {
    if (error instanceof IoError) throw error
    throw new IoError(path, 'could not be written', systemError(error), 'nothing was changed there')
  }
}

async function replace(target: string, write: (path: string) => Promise<void>): Promise<void> {
  const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  if (unfinished.size === 0) watch()
  unfinished.add(beside)
  try {
    await write(beside)
    await flush(beside)
    await rename(beside, target)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  } finally {
    unfinished.delete(beside)
    if (unfinished.size === 0) unwatch()
  }
}

/** On the disk, not only on its way there. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Finds out before the work begins what would make its result impossible to write. */
export async function checkPlace(path: string): Promise<void> {
  const folder = dirname(path)
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new IoError(path, 'could not be written', systemError(error), 'check the folder')
  }
}

/** A text as a whole file. */
export async function writeText(path: string, text: string): Promise<void> {
  await atomically(path, async (to) => {
    const file = await open(to, 'w')
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  })
}
