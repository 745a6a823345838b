import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cleanUpOnExit, folderBeside, isLeftBeside, systemError } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'

/** A folder beside the one that is to be filled. */
export interface Stage {
  /** What is put here becomes the folder. */
  readonly out: string
  /** For archives and the like; gone afterwards. */
  readonly work: string
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal
}

/** Where an older folder waits for the new one to take its place. */
const ASIDE = 'old'

/**
 * Fills a folder so that it is never half there: `fill` works beside it, and what it made takes the folder's name in one
 * step. On any failure, and when the process is told to end, nothing is left, and an older folder stays.
 */
export async function stage(target: string, fill: (stage: Stage) => Promise<void>): Promise<void> {
  const parent = dirname(target)
  const part = folderBeside(target)
  const abort = new AbortController()
  const release = cleanUpOnExit(() => {
    abort.abort()
    rmSync(part, { recursive: true, force: true, maxRetries: 3 })
  })
  try {
    await mkdir(parent, { recursive: true })
    await repair(parent)
    const [out, work] = [join(part, 'out'), join(part, 'work')]
    await mkdir(out, { recursive: true })
    await mkdir(work)
    await fill({ out, work, signal: abort.signal })
    replace(target, out, join(part, ASIDE))
  } catch (error) {
    if (error instanceof RlviError) throw error
    throw new RlviError(
      target,
      'could not be written',
      phrase(systemError(error)),
      'nothing was changed there',
    )
  } finally {
    release()
    await rm(part, { recursive: true, force: true })
  }
}

/** No signal comes between the two steps, and where the second one fails, the first is taken back. */
function replace(target: string, made: string, aside: string): void {
  const older = existsSync(target)
  if (older) renameSync(target, aside)
  try {
    renameSync(made, target)
  } catch (error) {
    if (older) renameSync(aside, target)
    throw error
  }
}

/**
 * Puts right what killed processes left in a folder: a folder that was set aside for a new one, which never came, gets its name
 * back; all else is removed. Of processes that are still at work nothing is touched.
 */
export async function repair(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const target = isLeftBeside(parent, name)
    if (target === undefined) continue
    const [path, aside] = [join(parent, name), join(parent, name, ASIDE)]
    if (existsSync(aside) && !existsSync(target)) renameSync(aside, target)
    await rm(path, { recursive: true, force: true })
  }
}
