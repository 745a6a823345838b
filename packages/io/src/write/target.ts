import { mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { IoError } from '../errors.js'
import { destination } from './destination.js'
import { syncFolder } from './sync-folder.js'

/** Where a file will be. */
export interface Target {
  readonly path: string
  /** The file that is there. */
  readonly before: Stats | undefined
  /** A device or a pipe has no place beside it, and must not be replaced by a file. */
  readonly inPlace: boolean
  /** The topmost folder that was made for it. */
  readonly made: string | undefined
}

/** Looks where the file will be, and makes its folder if that is asked for. */
export function targetOf(path: string, makeFolder: boolean): Target {
  const before = statSync(path, { throwIfNoEntry: false })
  if (before?.isDirectory())
    throw new IoError(path, 'a file to write is needed', 'a folder', 'give a file name')
  if (before !== undefined && !before.isFile()) return { path, before, inPlace: true, made: undefined }
  const real = destination(path)
  const made = makeFolder ? mkdirSync(dirname(real), { recursive: true }) : undefined
  return { path: real, before, inPlace: false, made }
}

/** A new name is on the disk when its folder is, and so is a new folder. */
export function syncFolders({ path, made }: Target): void {
  const top = made === undefined ? dirname(path) : dirname(made)
  let folder = dirname(path)
  for (; folder !== top; folder = dirname(folder)) syncFolder(folder)
  syncFolder(folder)
}
