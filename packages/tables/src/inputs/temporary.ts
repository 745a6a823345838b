import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpOnExit } from '@rlvi/io'

/** A place for files that nobody needs after the work, however it ends. */
export interface TemporaryFiles {
  /** A path for a new one. */
  path(name: string): string
  remove(): void
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
        folder = mkdtempSync(join(tmpdir(), 'rlvi-'))
        keep = cleanUpOnExit(clean)
      }
      return join(folder, `${count++}-${name}`)
    },
    remove() {
      clean()
      keep?.()
    },
  }
}
