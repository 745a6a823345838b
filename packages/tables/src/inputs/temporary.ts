import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cleanUpOnExit, temporaryFolder } from '@rlvi/io'

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
