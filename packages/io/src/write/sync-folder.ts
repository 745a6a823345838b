import { disk } from './disk.js'

/** Systems and file systems that cannot say when a folder is on the disk. */
const cannot = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM'])

/** Brings a folder's names to the disk, where that can be asked for. */
export function syncFolder(path: string): void {
  try {
    const folder = disk.openSync(path, 'r')
    try {
      disk.fsyncSync(folder)
    } finally {
      disk.closeSync(folder)
    }
  } catch (error) {
    if (!cannot.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
