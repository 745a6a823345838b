import { statSync } from 'node:fs'
import { lockFile } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { checkOutputs } from '../terminal/outputs.js'
import type { StreamOptions } from './options.js'

/** Before anything is read: files to write have a folder, and none is an input or another output. */
export function checkFiles({ inputs, out, state, save }: StreamOptions): void {
  checkOutputs(inputs, { '--out': out, '--state': state, '--save': save })
  if (state !== undefined && statSync(state, { throwIfNoEntry: false })?.isFile() === false) {
    throw new RlviError(state, 'a file for the state is needed', phrase('something else of that name'))
  }
}

/**
 * Of two runs on one state or one file of lines, one alone goes on. A device or a pipe takes the lines of all who write to it.
 * Returns what gives the locks back.
 */
export function lockFiles({ out, state }: StreamOptions): () => void {
  const held: (() => void)[] = []
  const release = (): void => {
    for (const give of held) give()
  }
  try {
    for (const path of [state, out])
      if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() !== false)
        held.push(lockFile(path))
  } catch (error) {
    release()
    throw error
  }
  return release
}
