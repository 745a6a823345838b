import { open } from 'node:fs/promises'

const CHUNK = 2 ** 22
const UNDERSCORE = 0x5f

/** Whether a file has digits with an underscore between them, as in 1_000. Of a packed one nobody knows. */
export async function hasParted(file: string): Promise<boolean> {
  if (/\.(?:gz|zst)$/i.test(file)) return true
  const opened = await open(file)
  try {
    // The last two bytes stand before the next chunk: the sign may be the last one of it.
    const bytes = Buffer.alloc(CHUNK + 2)
    for (let from = 0; ; ) {
      const { bytesRead } = await opened.read(bytes, 2, CHUNK, from)
      if (bytesRead === 0) return false
      const chunk = bytes.subarray(0, 2 + bytesRead)
      for (let at = chunk.indexOf(UNDERSCORE); at >= 0; at = chunk.indexOf(UNDERSCORE, at + 1))
        if (isDigit(chunk[at - 1]) && isDigit(chunk[at + 1])) return true
      chunk.copyWithin(0, bytesRead)
      from += bytesRead
    }
  } finally {
    await opened.close()
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
