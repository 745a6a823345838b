import { IoError } from './errors.js'

const words: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the largest size of a file is reached',
  EISDIR: 'a folder',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the disk is read-only',
}

/** What the system reports, in words where its code is a common one. */
export function systemError(error: unknown): string {
  const { code } = (error ?? {}) as { code?: string }
  const message = error instanceof Error ? error.message : String(error)
  return code === undefined ? message : (words[code] ?? message)
}

/** A file or folder that could not be read, and why. An error that says so already stays as it is. */
export function unreadable(path: string, error: unknown): IoError {
  if (error instanceof Error && error.name === 'RlviError') return error as IoError
  return new IoError(path, 'could not be read', systemError(error), 'check the path')
}
