import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { unreadable } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'

const unzip = promisify(gunzip)

/** No data file that we read whole is larger, so a larger one is not what it is taken for. */
const LARGEST = 2 ** 30

/** A file's bytes, unpacked if they are gzipped, whatever the file is called. */
export async function readBytes(path: string): Promise<Uint8Array> {
  const bytes = await readWhole(path)
  if (!isGzip(bytes)) return bytes
  try {
    return await unzip(bytes, { maxOutputLength: LARGEST })
  } catch (error) {
    const got = (error as { code?: string }).code ?? String(error)
    const rule = got === 'Z_BUF_ERROR' ? 'the gzipped file must be whole' : 'the file could not be unpacked'
    throw new RlviError(path, rule, phrase(got), 'get it again: it is damaged or was cut off')
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

async function readWhole(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path)
    if (size > LARGEST) throw new RlviError(path, `at most ${LARGEST} bytes are expected`, size)
    return await readFile(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}
