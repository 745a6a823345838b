import { IoError, saysItself } from '../errors.js'
import { systemError } from '../system-error.js'
import { disk } from './disk.js'
import { abandon, begin, finish, reopen } from './draft.js'
import { fillInPlace, fillInPlaceSync } from './in-place.js'
import { syncFolders, type Target, targetOf } from './target.js'
import { bytesOf, type Content, type NewFile, writeAll, writeAllSync } from './write-all.js'

/** How a file is written. */
export interface WriteOptions {
  /** Makes the folder of the file, and those above it, where they are not there. Default false: that is an error. */
  readonly makeFolder?: boolean
}

/**
 * Writes a file so that at any moment, whatever happens, the old one or the new one is there whole: it is filled beside
 * its place, brought to the disk, and takes its name in one step. On any failure, and when the process is ended by a
 * signal, what was written so far is removed and an older file stays. The new file has the older one's permissions; where
 * the path is a link, the file that it leads to is replaced; a device or a pipe is written to as it is. Of several who
 * write one file at once the last one wins.
 *
 * @param content - all of it, or a function that writes it piece by piece
 * @example
 * await writeAtomic('model.json', JSON.stringify(model))
 * await writeAtomic('rows.csv', async (file) => {
 *   for (const lines of pieces) await file.write(lines)
 * })
 */
export async function writeAtomic(
  path: string,
  content: Content | ((file: NewFile) => Promise<void>),
  options: WriteOptions = {},
): Promise<void> {
  const fill = typeof content === 'function' ? content : (file: NewFile) => file.write(content)
  const reached: Reached = {}
  try {
    const target = targetOf(path, options.makeFolder === true)
    reached.target = target
    if (target.inPlace) return await fillInPlace(path, fill)
    const draft = begin(target)
    try {
      await fill({ path: draft.path, write: (piece) => writeAll(draft.file!, bytesOf(piece)) })
      reopen(draft)
      await disk.fsync(draft.file!)
      finish(draft)
    } finally {
      abandon(draft)
    }
    reached.named = true
    syncFolders(target)
  } catch (error) {
    throw failure(path, reached, error)
  }
}

/** As `writeAtomic`, before anything else goes on: for what must be on the disk before the next step. */
export function writeAtomicSync(path: string, content: Content, options: WriteOptions = {}): void {
  const reached: Reached = {}
  try {
    const target = targetOf(path, options.makeFolder === true)
    reached.target = target
    if (target.inPlace) {
      fillInPlaceSync(path, content)
      return
    }
    const draft = begin(target)
    try {
      writeAllSync(draft.file!, bytesOf(content))
      reopen(draft)
      disk.fsyncSync(draft.file!)
      finish(draft)
    } finally {
      abandon(draft)
    }
    reached.named = true
    syncFolders(target)
  } catch (error) {
    throw failure(path, reached, error)
  }
}

/** How far it came. */
interface Reached {
  target?: Target
  /** The new file has its name. */
  named?: boolean
}

function failure(path: string, { target, named }: Reached, error: unknown): unknown {
  // What the content's own maker reports stays as it is.
  if (saysItself(error)) return error
  const got = systemError(error)
  if (named) {
    const todo = 'the new file is there, but may be gone if the machine fails now'
    return new IoError(path, 'could not be brought to the disk', got, todo)
  }
  if (target?.inPlace) return new IoError(path, 'could not be written', got)
  const unchanged = 'nothing was changed there'
  const todo = target?.before === undefined ? unchanged : `the file before is still there: ${unchanged}`
  return new IoError(path, 'could not be written', got, todo)
}
