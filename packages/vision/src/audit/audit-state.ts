import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable, writeAtomic } from '@rlvi/io'
import { readSafetensors, type StoredTensor, writeSafetensors } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import type { Ensemble } from './ensemble-scores.js'

/** What an audit must have in common with its checkpoint, by name. */
export type AuditIdentity = Readonly<Record<string, string | number>>

/** How far an audit is: networks that are done, and of the next one the last epoch that has scored. */
export interface AuditProgress {
  readonly networks: number
  readonly epoch: number
}

/** The scores of an audit in a folder, beside the checkpoint of the network that is being trained. */
export interface AuditStore {
  /** Fills the ensemble with what was kept, if it is of the same audit. */
  restore(into: Ensemble): Promise<AuditProgress>
  keep(scored: Ensemble, progress: AuditProgress): Promise<void>
  /** The folder of a network's own checkpoint. */
  network(k: number): string
}

/** The file in a folder of `--checkpoint` that holds an audit's scores. */
export const AUDIT_FILE = 'audit.safetensors'
const KEY = 'rlvi.audit'
const NONE: AuditProgress = { networks: 0, epoch: 0 }

export function auditStore(folder: string, identity: AuditIdentity): AuditStore {
  const path = join(folder, AUDIT_FILE)
  return {
    async restore(into) {
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw unreadable(path, error)
      })
      if (bytes === undefined) return NONE
      const { tensors, metadata } = readSafetensors(bytes, path)
      const { progress, identity: theirs } = kept(metadata[KEY], path)
      for (const [name, mine] of Object.entries(identity))
        if (theirs?.[name] !== mine) {
          const todo = 'choose another folder, or start anew'
          throw new RlviError(path, `must have the same ${name}, ${mine}`, theirs?.[name] ?? 'none', todo)
        }
      fill(into.sums, tensors.get('sums'), path)
      fill(into.counts, tensors.get('counts'), path)
      return progress ?? NONE
    },
    async keep({ sums, counts }, progress) {
      const tensors = new Map<string, StoredTensor>([
        ['sums', { shape: [sums.length], values: sums }],
        ['counts', { shape: [counts.length], values: counts }],
      ])
      const bytes = writeSafetensors(tensors, { [KEY]: JSON.stringify({ progress, identity }) })
      await writeAtomic(path, bytes, { makeFolder: true })
    },
    network: (k) => join(folder, `network-${k + 1}`),
  }
}

interface Kept {
  readonly progress?: AuditProgress
  readonly identity?: AuditIdentity
}

/** What stands beside the scores; of a file of another program there is none. */
function kept(text: string | undefined, path: string): Kept {
  try {
    return Object(JSON.parse(text ?? '{}')) as Kept
  } catch {
    throw new RlviError(
      path,
      'the scores of an audit are needed',
      text,
      'choose another folder, or start anew',
    )
  }
}

function fill(into: Float64Array | Int32Array, stored: StoredTensor | undefined, path: string): void {
  const values = stored?.values
  if (values === undefined || values instanceof BigInt64Array || values.length !== into.length)
    throw new RlviError(path, `${into.length} values are needed`, values?.length ?? 'none', 'start anew')
  into.set(values)
}
