import { fchmodSync, fchownSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { cleanUpOnExit } from '../signals.js'
import { nameBeside, removeLeftovers } from './beside.js'
import { disk } from './disk.js'
import type { Target } from './target.js'

/** A file beside its place. */
export interface Draft {
  readonly path: string
  readonly target: Target
  readonly release: () => void
  /** While it is open. */
  file: number | undefined
}

const unfinished = new Set<string>()

/** Opens a new file that nobody else writes. */
export function begin(target: Target): Draft {
  removeLeftovers(dirname(target.path), unfinished)
  const path = nameBeside(target.path)
  // Before the file is there: a signal between the two would leave it behind.
  const release = cleanUpOnExit(() => rmSync(path, { force: true }))
  try {
    // Not through a link that someone may have put there.
    const file = disk.openSync(path, 'wx', modeOf(target))
    unfinished.add(path)
    return { path, target, file, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Nobody reads what is being written who may not read the file before. */
function modeOf({ before }: Target): number {
  return before === undefined ? 0o666 : (before.mode & 0o777) | 0o600
}

/** By its name: a library that wrote it may have put another file there. And as the file before may be used. */
export function reopen(draft: Draft): void {
  close(draft)
  draft.file = disk.openSync(draft.path, 'r+')
  const { before } = draft.target
  if (before === undefined) return
  try {
    if (before.uid !== process.getuid?.()) fchownSync(draft.file, before.uid, before.gid)
  } catch {
    // Only the superuser can give files away.
  }
  fchmodSync(draft.file, before.mode & 0o777)
}

function close(draft: Draft): void {
  const { file } = draft
  draft.file = undefined
  if (file !== undefined) disk.closeSync(file)
}

/** The file takes its name. */
export function finish(draft: Draft): void {
  close(draft)
  disk.renameSync(draft.path, draft.target.path)
  unfinished.delete(draft.path)
}

/** Leaves nothing behind. Of a draft that was finished nothing is left to remove. */
export function abandon(draft: Draft): void {
  draft.release()
  try {
    close(draft)
    if (unfinished.delete(draft.path)) rmSync(draft.path, { force: true })
  } catch {
    // The error that led here says more.
  }
}
