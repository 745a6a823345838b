import { writeAtomic } from '@rlvi/io'

/** Writes a file of results whole or not at all, into a folder that is made where it is not there. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeAtomic(path, text, { makeFolder: true })
}
