import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '@rlvi/io'
import { RlviError } from 'rlvi'
import type { Io } from '../terminal/io.js'
import { UsageError } from '../terminal/usage.js'

/** Where work is kept, and whether it goes on from there. */
interface Keeping {
  readonly checkpoint: string | undefined
  readonly resume: boolean
}

/** Does work that is kept in a folder, while no other run works on the same. */
export async function alone<T>(folder: string | undefined, work: () => Promise<T>): Promise<T> {
  const release = folder === undefined ? undefined : lockFolder(folder)
  try {
    return await work()
  } finally {
    release?.()
  }
}

/** Work of an earlier run is neither replaced nor taken up unless that was asked for. */
export async function checkCheckpoint({ checkpoint, resume }: Keeping, file: string, io: Io): Promise<void> {
  if (checkpoint === undefined) return
  const there = await stat(join(checkpoint, file)).catch(() => undefined)
  if (there !== undefined && !resume) {
    const todo = 'add --resume to go on with it, or choose another folder'
    throw new RlviError(checkpoint, 'a folder without a checkpoint is needed', 'one of an earlier run', todo)
  }
  if (there === undefined && resume) io.remark(`no checkpoint in ${checkpoint} yet: starting anew`)
}

/** What is resumed must be somewhere. */
export function checkResume({ checkpoint, resume }: Keeping): void {
  if (resume && checkpoint === undefined)
    throw new UsageError('--resume', 'the folder to go on from is needed', 'none', 'add --checkpoint FOLDER')
}
