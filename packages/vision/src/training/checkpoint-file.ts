import { readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unreadable, writeAtomic } from '@rlvi/io'
import type { CheckpointStore } from '@rlvi/nn'

const FILE = 'checkpoint.safetensors'

/** The checkpoint of a training run in a folder of its own: at all times the last one that was written whole. */
export function checkpointFile(folder: string): CheckpointStore {
  const path = join(folder, FILE)
  return {
    path,
    async read() {
      try {
        return await readFile(path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw unreadable(path, error)
      }
    },
    write: (bytes) => writeAtomic(path, bytes, { makeFolder: true }),
  }
}

/** Removes a run's checkpoint, and the folder of all checkpoints if it was the last one. */
export async function removeCheckpoint(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rmdir(dirname(folder)).catch(() => undefined)
}
