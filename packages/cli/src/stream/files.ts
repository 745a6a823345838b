import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemError } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { UsageError } from '../terminal/usage.js'
import type { StreamOptions } from './options.js'

/** Before anything is read: files to write have a folder, and none is an input or another output. */
export function checkFiles({ inputs, out, state, save }: StreamOptions): void {
  const taken = new Set(inputs.map(real))
  for (const [flag, path] of [
    ['--out', out] as const,
    ['--state', state] as const,
    ['--save', save] as const,
  ]) {
    if (path === undefined) continue
    const place = real(path)
    if (taken.has(place)) {
      throw new UsageError(flag, 'a file of its own is needed', path, 'it would be overwritten')
    }
    taken.add(place)
    try {
      accessSync(dirname(place), constants.W_OK)
    } catch (error) {
      throw new RlviError(path, 'could not be written', phrase(systemError(error)), 'check the folder')
    }
  }
  if (state !== undefined && statSync(state, { throwIfNoEntry: false })?.isFile() === false) {
    throw new RlviError(state, 'a file for the state is needed', phrase('something else of that name'))
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
