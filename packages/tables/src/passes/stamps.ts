import { stat } from 'node:fs/promises'
import { phrase, RlviError } from 'rlvi'
import type { Table } from '../table.js'

/** What tells one state of a file from the next: its size and when it was written. */
export type Stamp = string | undefined

/** The state of each file of a table; undefined for what is none, such as stdin. */
export function stampsOf({ parts }: Table): Promise<Stamp[]> {
  return Promise.all(parts.map(({ path }) => stampOf(path)))
}

/** Throws where a file was written anew: as many rows as before may be others now. */
export async function checkStamp(path: string, before: Stamp): Promise<void> {
  if (before === undefined || (await stampOf(path)) === before) return
  throw new RlviError(
    path,
    'a file that stays as it is during a fit is needed',
    phrase('one that changed'),
    'try again',
  )
}

async function stampOf(path: string): Promise<Stamp> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined ? undefined : `${found.ino} ${found.size} ${found.mtimeMs}`
}
