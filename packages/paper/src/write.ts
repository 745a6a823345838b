import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file whole or not at all: beside its place first, then renamed. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    await writeFile(beside, text)
    await rename(beside, path)
  } catch (problem) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw problem
  }
}
