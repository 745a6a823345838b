import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { unreadable } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import type { DataFile } from '../sets/info.js'

export interface Progress {
  /** Bytes so far, and of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** No byte for so long means that the connection is dead. */
const LONGEST_SILENCE = 60_000

/** A file from an address, checked as it comes. */
export async function download(
  address: string,
  path: string,
  expected: Required<Pick<DataFile, 'bytes' | 'sha256'>>,
  signal: AbortSignal,
  { onProgress }: Progress = {},
): Promise<void> {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(), LONGEST_SILENCE)
  const hash = createHash('sha256')
  let done = 0
  const file = await open(path, 'wx')
  try {
    const response = await fetch(address, { signal: AbortSignal.any([signal, quiet.signal]) })
    if (!response.ok || response.body === null) {
      const got = phrase(`${response.status} ${response.statusText}`.trim())
      throw new RlviError(
        address,
        'the server must have the file',
        got,
        'get it elsewhere and give its path as `from`',
      )
    }
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), LONGEST_SILENCE)
      done += piece.length
      if (done > expected.bytes) break
      hash.update(piece)
      await file.writeFile(piece)
      onProgress?.(done, expected.bytes)
    }
  } catch (error) {
    throw failed(address, error, quiet.signal.aborted)
  } finally {
    clearTimeout(timer)
    await file.close()
  }
  if (done !== expected.bytes) {
    const got = phrase(done > expected.bytes ? 'more' : `${done}`)
    throw new RlviError(
      address,
      `${expected.bytes} bytes are needed`,
      got,
      'the download was interrupted: try again',
    )
  }
  compareSums(address, hash.digest('hex'), expected.sha256)
}

function failed(address: string, error: unknown, quiet: boolean): Error {
  if (error instanceof RlviError) return error
  // A failure to write the file is the disk's, not the network's.
  if (
    typeof (error as { errno?: unknown }).errno === 'number' &&
    (error as { syscall?: string }).syscall === 'write'
  )
    return error as Error
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  const got = quiet
    ? `nothing for ${LONGEST_SILENCE / 1000} seconds`
    : (cause?.code ?? cause?.message ?? (error as Error).message)
  const todo = 'check the network, or get the file elsewhere and give its path as `from`'
  return new RlviError(address, 'could not be downloaded', phrase(got), todo)
}

/** The sum of a file on disk. */
export async function sha256Of(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  try {
    const hash = createHash('sha256')
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
    return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
  } catch (error) {
    throw unreadable(path, error)
  }
}

export function compareSums(where: string, sum: string, expected: string): void {
  if (sum === expected) return
  const todo = 'it is not the official file, or was damaged on the way: nothing was kept'
  throw new RlviError(where, `the file with SHA-256 ${expected} is needed`, phrase(sum), todo)
}
