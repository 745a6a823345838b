import { disk } from './disk.js'

/** What a file is made of; text becomes UTF-8. */
export type Content = string | Uint8Array

/** A file that is being written. */
export interface NewFile {
  /** Adds to it: all of the content, or an error. */
  write(content: Content): Promise<void>
  /** For a library that writes by name. It is a file beside the one that is wanted. */
  readonly path: string
}

export function bytesOf(content: Content): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content
}

/**
 * Writes all bytes to an open file before anything else goes on, from its own place or from `position`. The system may take
 * a part of them only, as it does when a disk is nearly full: the rest is tried again, so that it is written or the error is
 * had.
 */
export function writeAllSync(file: number, bytes: Uint8Array, position: number | null = null): void {
  for (let at = 0; at < bytes.length; ) {
    const to = position === null ? null : position + at
    at += some(disk.writeSync(file, bytes, at, bytes.length - at, to))
  }
}

/** As `writeAllSync`, from the file's own place, while other things go on. */
export async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await disk.write(file, bytes, at, bytes.length - at, null)
    at += some(bytesWritten)
  }
}

/** A file that takes nothing, and does not say why, must not be tried forever. */
function some(written: number): number {
  if (written > 0) return written
  throw Object.assign(new Error('no byte was written'), { code: 'EIO' })
}
