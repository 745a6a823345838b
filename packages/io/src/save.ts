import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { IoError } from './errors.js'
import { systemError } from './system-error.js'

/**
 * Replaces a file so that at any moment, whatever happens, the old or the new one is there whole: written beside it,
 * brought to the disk, then renamed. The name beside it is always the same, so that kills leave no heap of files.
 */
export function replaceFile(path: string, text: string): void {
  try {
    const target = realpath(path)
    const beside = join(dirname(target), `.${basename(target)}.tmp`)
    rmSync(beside, { force: true })
    try {
      write(beside, text)
      renameSync(beside, target)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
    syncFolder(dirname(target))
  } catch (error) {
    throw new IoError(path, 'could not be written', systemError(error), 'the file before is still there')
  }
}

function write(path: string, text: string): void {
  // Not through a link that someone may have put there.
  const file = openSync(path, 'wx')
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A new name is on the disk when its folder is. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Not every system can; the file itself is safe.
  }
}

function realpath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
