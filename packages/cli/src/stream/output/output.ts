import { closeSync, fdatasyncSync, fstatSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { systemError, writeAllSync } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { type Io, ReaderGone } from '../../terminal/io.js'
import type { Written } from '../state/checkpoint.js'
import { cutBack, isFile } from './cut-back.js'

/** Where the lines go, counted. */
export interface Output {
  write(text: string): Promise<void>
  /** Brings what was written to the disk, and says how much it is. */
  settle(): Written
  close(): void
}

const nothing: Written = { from: 0, bytes: 0, crc: 0 }
const onlyNew = 'does not hold the lines of the run before; only new lines are written to it'

/**
 * Lines to a file or to stdout. A file that holds the lines of an earlier run is first cut back to where its checkpoint
 * was, so that it ends as if nothing had happened. A pipe cannot be: there the lines after the checkpoint come again.
 */
export function openOutput(path: string | undefined, io: Io, saved: Written | undefined): Output {
  if (path !== undefined) return toPath(path, io, saved)
  const { descriptor } = io
  if (descriptor === undefined || !isFile(descriptor)) return toReader(io, saved ?? nothing)
  const held = saved !== undefined && cutBack(descriptor, saved)
  if (!held && saved !== undefined && saved.bytes > 0) io.remark(`stdout: ${onlyNew}`)
  const { size } = fstatSync(descriptor)
  // The system's own place in the file is only trusted where it was not cut.
  return toFile('stdout', descriptor, held ? saved : { ...nothing, from: size }, held)
}

function toPath(path: string, io: Io, saved: Written | undefined): Output {
  let file: number | undefined
  let output: Output | undefined
  const open = (flags: string): number => {
    try {
      return openSync(path, flags)
    } catch (error) {
      throw new RlviError(path, 'could not be written', phrase(systemError(error)))
    }
  }
  if (saved !== undefined && saved.bytes > 0) {
    closeSync(open('a'))
    file = open('r+')
    const held = cutBack(file, saved)
    if (!held) {
      if (fstatSync(file).size > 0) {
        const todo = 'give the file of the run before, or a new one'
        throw new RlviError(path, 'the lines that belong to the state are needed', phrase('others'), todo)
      }
      io.remark(`${path}: ${onlyNew}`)
    }
    output = toFile(path, file, held ? saved : nothing, isFile(file))
  }
  // An older file of another run stays until there is something to put in its place.
  const opened = (): Output => {
    file ??= open('w')
    output ??= toFile(path, file, nothing, false)
    return output
  }
  return {
    write: (text) => opened().write(text),
    settle: () => output?.settle() ?? nothing,
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** Each write is whole or an error: a full disk takes a part of it first, in silence. */
function toFile(name: string, file: number, start: Written, placed: boolean): Output {
  let { bytes, crc } = start
  const { from } = start
  return {
    async write(text) {
      const line = Buffer.from(text)
      try {
        writeAllSync(file, line, placed ? from + bytes : null)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new ReaderGone()
        throw new RlviError(
          name,
          'could not be written',
          phrase(systemError(error)),
          'what the state says is still there',
        )
      }
      bytes += line.length
      crc = crc32(line, crc)
    },
    settle() {
      try {
        if (isFile(file)) fdatasyncSync(file)
      } catch (error) {
        throw new RlviError(name, 'could not be written', phrase(systemError(error)))
      }
      return { from, bytes, crc }
    },
    close: () => undefined,
  }
}

/** Waits until the reader has room: that holds up the rows, and nothing heaps up here. */
function toReader(io: Io, start: Written): Output {
  let { bytes, crc } = start
  return {
    async write(text) {
      const line = Buffer.from(text)
      await io.out(text)
      bytes += line.length
      crc = crc32(line, crc)
    },
    settle: () => ({ from: start.from, bytes, crc }),
    close: () => undefined,
  }
}
