import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { IoError, systemError, unreadable } from '@rlvi/io'
import type { CheckpointStore } from '@rlvi/nn'

const FILE = 'checkpoint.safetensors'

/** The checkpoint of a training run in a folder of its own: at all times the last one that was written whole. */
export function checkpointFile(folder: string): CheckpointStore {
  const path = join(folder, FILE)
  return {
    async read() {
      try {
        return await readFile(path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw unreadable(path, error)
      }
    },
    async write(bytes) {
      const beside = `${path}.${randomBytes(4).toString('hex')}.part`
      try {
        await mkdir(folder, { recursive: true })
        const file = await open(beside, 'w')
        try {
          await file.writeFile(bytes)
          // On the disk, not only on its way there: a machine may be switched off too.
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(beside, path)
      } catch (error) {
        await rm(beside, { force: true }).catch(() => undefined)
        throw new IoError(
          path,
          'could not be written',
          systemError(error),
          'the checkpoint before, if any, is whole',
        )
      }
    },
  }
}

/** Removes a run's checkpoint, and the folder of all checkpoints if it was the last one. */
export async function removeCheckpoint(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rmdir(dirname(folder)).catch(() => undefined)
}
