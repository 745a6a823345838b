import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable } from '@rlvi/io'
import { isInMemory, isOnDisk, type Samples } from './image-set.js'

/** What is read of an image file: its size and its beginning tell it from others. */
const BEGINNING = 4096
const AT_ONCE = 32

/**
 * A checksum of images and labels, by which work that goes on is known to go on with the same ones. Pictures in memory count with
 * every pixel, files by their names, sizes and first bytes.
 */
export async function fingerprint(set: Samples): Promise<string> {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([set.classes, set.channels, set.height, set.width, set.paths ?? []]))
  hash.update(Uint16Array.from(set.labels))
  if (isInMemory(set)) hash.update(set.pixels)
  else if (isOnDisk(set))
    for (let from = 0; from < set.paths.length; from += AT_ONCE) {
      const some = set.paths.slice(from, from + AT_ONCE)
      for (const part of await Promise.all(some.map((path) => beginning(join(set.folder, path)))))
        hash.update(part)
    }
  return hash.digest('hex')
}

async function beginning(path: string): Promise<Buffer> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
      return Buffer.concat([Buffer.from(`${size} `), buffer.subarray(0, bytesRead)])
    } finally {
      await file.close()
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}
