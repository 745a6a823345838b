import { statSync } from 'node:fs'
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
