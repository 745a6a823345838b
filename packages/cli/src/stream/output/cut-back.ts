import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Written } from '../state/checkpoint.js'

export function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/**
 * Cuts a file back to what a checkpoint knows of it, after a look whether it is that file: another one is left alone.
 * Returns whether it is.
 */
export function cutBack(file: number, saved: Written): boolean {
  const end = saved.from + saved.bytes
  if (!isFile(file) || fstatSync(file).size < end) return false
  const reading = readable(file)
  if (reading === undefined) return false
  try {
    if (crcOf(reading, saved) !== saved.crc) return false
  } finally {
    if (reading !== file) closeSync(reading)
  }
  ftruncateSync(file, end)
  return true
}

/** A file that the shell opened for appending must be opened again to be read, which not every system can. */
function readable(file: number): number | undefined {
  try {
    readSync(file, Buffer.alloc(1), 0, 1, 0)
    return file
  } catch {
    try {
      return openSync(`/dev/fd/${file}`, 'r')
    } catch {
      return undefined
    }
  }
}

function crcOf(file: number, { from, bytes }: Written): number | undefined {
  const buffer = Buffer.alloc(128 * 1024)
  let crc = 0
  for (let done = 0; done < bytes; ) {
    let got: number
    try {
      got = readSync(file, buffer, 0, Math.min(buffer.length, bytes - done), from + done)
    } catch {
      return undefined
    }
    if (got === 0) return undefined
    crc = crc32(buffer.subarray(0, got), crc)
    done += got
  }
  return crc
}
