import { IoError, saysItself } from './errors.js'

const words: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EBUSY: 'in use by the system or another program',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something of that name is there already',
  EFBIG: 'the largest size of a file is reached',
  EIO: 'the disk or the network failed',
  EISDIR: 'a folder',
  ELOOP: 'links that lead in a circle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'a name that is too long',
  ENFILE: 'too many open files in the whole system',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'a folder that is not empty',
  EPERM: 'not permitted by the system',
  EPIPE: 'a reader that has gone',
  EROFS: 'the disk is read-only',
  ETIMEDOUT: 'no answer in time',
  ETXTBSY: 'a program that is running',
  EXDEV: 'places on two disks',
}

/** What libraries make of the codes of a full disk. */
const texts: Readonly<Record<string, string>> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'File too large': 'EFBIG',
}

/** What the system reports, in words where its code is a common one. The words of an `IoError` are had already. */
export function systemError(error: unknown): string {
  if (error instanceof IoError) return error.got
  const message = error instanceof Error ? error.message : String(error)
  const text = Object.keys(texts).find((known) => message.includes(known))
  const { code = text === undefined ? undefined : texts[text] } = (error ?? {}) as { code?: string }
  return code === undefined ? message : (words[code] ?? message)
}

/** A file or folder that could not be read, and why. An error that says so already stays as it is. */
export function unreadable(path: string, error: unknown): Error {
  if (saysItself(error)) return error
  return new IoError(path, 'could not be read', systemError(error), 'check the path')
}
