import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cleanUpOnExit, systemError, temporaryFolder } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { isFull } from './failed.js'

/** A place for files that nobody needs after the work, however it ends. */
export interface TemporaryFiles {
  /** A path for a new one. */
  path(name: string): string
  remove(): Promise<void>
}

export function temporaryFiles(): TemporaryFiles {
  let folder: string | undefined
  let count = 0
  let keep: (() => void) | undefined
  const clean = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    folder = undefined
  }
  return {
    path(name) {
      if (folder === undefined) {
        folder = temporaryFolder()
        keep = cleanUpOnExit(clean)
      }
      return join(folder, `${count++}-${name}`)
    },
    async remove() {
      clean()
      // A signal that came while rows were read is heard here: once nobody listens, it would be lost, and the work go on.
      // Between two turns Node looks for signals; before the first one perhaps not.
      if (keep !== undefined) {
        await nextTurn()
        await nextTurn()
      }
      keep?.()
    },
  }
}

/** What the system says of a full disk, while files were put aside: which disk it is. Other errors stay as they are. */
export function temporaryError(error: unknown): unknown {
  if (error instanceof RlviError || !isFull(error)) return error
  const todo = 'make room there, or set TMPDIR to a folder on another disk'
  return new RlviError(
    `temporary files in ${tmpdir()}`,
    'could not be written',
    phrase(systemError(error)),
    todo,
  )
}
