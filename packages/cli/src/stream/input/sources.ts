import { fstatSync, read as readCallback, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Stop, systemError } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { inUtf8 } from './in-utf8.js'

const AT_ONCE = 512 * 1024
const POLL_MS = 200
const readDescriptor = promisify(readCallback)

/** Bytes of a source, or its end (no bytes). Sources come one after the other. */
export interface Piece {
  readonly source: number
  readonly bytes: Buffer | undefined
}

/** Whether rows come by a pipe, which cannot be read again by itself. */
export function readsPipe(inputs: readonly string[]): boolean {
  return inputs.length === 0 && stdinStats()?.isFile() !== true
}

export function sourceName(inputs: readonly string[], source: number): string {
  return inputs[source] ?? 'stdin'
}

/** All that there is to read, until it ends or the process is asked to stop. Followed files do not end. */
export async function* pieces(
  inputs: readonly string[],
  follow: boolean,
  stop: Stop,
  encoding: string | null,
  atOnce: number = AT_ONCE,
): AsyncGenerator<Piece> {
  for (let source = 0; source < Math.max(1, inputs.length); source++) {
    const path = inputs[source]
    const chunks =
      path !== undefined
        ? file(path, follow, stop, atOnce)
        : readsPipe(inputs)
          ? pipe(stop)
          : stdinFile(follow, stop, atOnce)
    const text = encoding === null ? chunks : inUtf8(chunks, encoding, sourceName(inputs, source), stop)
    for await (const bytes of text) yield { source, bytes }
    if (stop.asked) return
    yield { source, bytes: undefined }
  }
}

async function* file(path: string, follow: boolean, stop: Stop, atOnce: number): AsyncGenerator<Buffer> {
  let handle: FileHandle
  try {
    handle = await open(path)
  } catch (error) {
    throw new RlviError(path, 'could not be read', phrase(systemError(error)))
  }
  try {
    const begun = await handle.stat()
    if (begun.isDirectory()) throw new RlviError(path, 'a file to read is needed', phrase('a folder'))
    let done = 0
    const read = async (buffer: Buffer): Promise<number> => {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
      done += bytesRead
      return bytesRead
    }
    yield* untilEnd(path, read, follow, stop, atOnce, async () => {
      const now = await stat(path).catch(() => undefined)
      checkSame(path, begun, now, done)
    })
  } finally {
    await handle.close()
  }
}

async function* stdinFile(follow: boolean, stop: Stop, atOnce: number): AsyncGenerator<Buffer> {
  const read = async (buffer: Buffer): Promise<number> =>
    (await readDescriptor(0, buffer, 0, buffer.length, null)).bytesRead
  yield* untilEnd('stdin', read, follow, stop, atOnce, async () => undefined)
}

async function* untilEnd(
  name: string,
  read: (buffer: Buffer) => Promise<number>,
  follow: boolean,
  stop: Stop,
  atOnce: number,
  check: () => Promise<void>,
): AsyncGenerator<Buffer> {
  while (!stop.asked) {
    const buffer = Buffer.allocUnsafe(atOnce)
    let length: number
    try {
      length = await read(buffer)
    } catch (error) {
      throw new RlviError(name, 'could not be read', phrase(systemError(error)))
    }
    if (length > 0) yield buffer.subarray(0, length)
    else if (!follow) return
    else {
      await pause(stop)
      await check()
    }
  }
}

/** A file that was replaced or cut is not the one that was being read. */
function checkSame(path: string, begun: Stats, now: Stats | undefined, done: number): void {
  const todo = 'to follow a file that is rotated: tail -F FILE | rlvi stream …'
  const rule = 'a file that is followed must only grow'
  // Between its removal and its return a file is missing for a moment.
  if (now === undefined) return
  if (now.ino !== begun.ino || now.dev !== begun.dev) {
    throw new RlviError(path, rule, phrase('another file of that name'), todo)
  }
  if (begun.isFile() && now.size < done) {
    throw new RlviError(path, rule, phrase(`${now.size} bytes after ${done} were read`), todo)
  }
}

/** Rows by a pipe or from a terminal. What was taken from it is given before the end, also when asked to stop. */
async function* pipe(stop: Stop): AsyncGenerator<Buffer> {
  const { stdin } = process
  let ended = false
  let failure: Error | undefined
  let ready: (() => void) | undefined
  const wake = (): void => ready?.()
  stop.signal.addEventListener('abort', wake)
  stdin.on('readable', wake)
  stdin.on('end', () => {
    ended = true
    wake()
  })
  stdin.on('error', (error) => {
    failure = error
    wake()
  })
  try {
    for (;;) {
      const chunk: Buffer | null = stdin.read()
      if (chunk !== null) {
        yield chunk
        continue
      }
      if (failure !== undefined)
        throw new RlviError('stdin', 'could not be read', phrase(systemError(failure)))
      if (ended || stop.asked) return
      await new Promise<void>((resolve) => {
        ready = resolve
      })
      ready = undefined
    }
  } finally {
    stop.signal.removeEventListener('abort', wake)
    stdin.off('readable', wake)
    stdin.destroy()
  }
}

async function pause(stop: Stop): Promise<void> {
  await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
}

function stdinStats(): Stats | undefined {
  try {
    return fstatSync(0)
  } catch {
    return undefined
  }
}
