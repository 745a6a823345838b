import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { phrase, RlviError } from 'rlvi'

/** What unpacks to more than both is a mistake or an attack: tables of numbers and words are ten times smaller packed. */
const MOST = 2 ** 30
const TIMES = 100
/** No block of Zstandard does. */
const ZSTD_BLOCK = 2 ** 17

/** The bytes that a file of so many may unpack to: RLVI_MAX_UNPACKED, where that is set. */
function mostUnpacked(packed: number): number {
  return givenMost() ?? Math.max(MOST, TIMES * packed)
}

/** RLVI_MAX_UNPACKED, where it is set. */
export function givenMost(): number | undefined {
  const given = process.env.RLVI_MAX_UNPACKED
  if (given === undefined || given === '') return undefined
  const most = Number(given)
  if (Number.isSafeInteger(most) && most > 0) return most
  throw new RlviError('RLVI_MAX_UNPACKED', 'a number of bytes above 0 is needed', given)
}

export function tooMuch(path: string, most: number): RlviError {
  const rule = `a file that unpacks to at most ${most} bytes is needed`
  return new RlviError(path, rule, phrase('more'), 'if it should, set RLVI_MAX_UNPACKED to more bytes')
}

/** Hands on what is unpacked, up to the bytes that a file may unpack to. */
function bounded(path: string, most: number): Transform {
  let count = 0
  return new Transform({
    transform(bytes: Buffer, _, done) {
      count += bytes.length
      if (count > most) done(tooMuch(path, most))
      else done(null, bytes)
    },
  })
}

/**
 * Before anything is read: a packed file that would fill the disk or take hours is told from a table, and one that was cut off
 * from one that is whole, which DuckDB does not do.
 */
export async function checkUnpacked(path: string): Promise<void> {
  const { size } = await stat(path)
  const most = mostUnpacked(size)
  if (/\.zst$/i.test(path) && zstdAtMost(path) > most) throw tooMuch(path, most)
  const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() })
  if (/\.gz$/i.test(path)) await unpackTo(path, path, nowhere)
}

/** Unpacks what gzip has packed. */
export async function unpackTo(file: string, path: string, to: Writable): Promise<void> {
  const most = mostUnpacked((await stat(file)).size)
  try {
    await pipeline(createReadStream(file), createGunzip(), bounded(path, most), to)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? damaged(path, message) : error
  }
}

function damaged(path: string, got: string): RlviError {
  return new RlviError(path, 'a packed file that is whole is needed', phrase(got), 'get it again')
}

/**
 * The bytes that a file of Zstandard can unpack to, by the sizes of its blocks: none is unpacked for it. Of what is no such file,
 * whoever reads it says so.
 */
function zstdAtMost(path: string): number {
  const file = openSync(path, 'r')
  const four = Buffer.alloc(4)
  /** A number of one to four bytes. */
  const number = (at: number, bytes: number): number => {
    if (readSync(file, four.fill(0), 0, bytes, at) < bytes) throw damaged(path, 'unexpected end of file')
    return four.readUInt32LE(0)
  }
  try {
    const { size: end } = fstatSync(file)
    let most = 0
    for (let at = 0; at + 4 <= end; ) {
      const magic = number(at, 4)
      at += 4
      // A piece that is to be passed over says how long it is.
      if (magic >>> 4 === 0x184d2a5) {
        at += 4 + number(at, 4)
        continue
      }
      if (magic !== 0xfd2fb528) return most
      const flags = number(at, 1)
      const isSingle = (flags >> 5) & 1
      const sizeBytes = [isSingle, 2, 4, 8][flags >> 6]!
      at += 1 + (1 - isSingle) + [0, 1, 2, 4][flags & 3]! + sizeBytes
      for (let isLast = false; !isLast; ) {
        const block = number(at, 3)
        isLast = (block & 1) === 1
        const kind = (block >> 1) & 3
        const size = block >>> 3
        const [packed, unpacked] = kind === 2 ? [size, ZSTD_BLOCK] : kind === 1 ? [1, size] : [size, size]
        at += 3 + packed
        most += unpacked
      }
      at += 4 * ((flags >> 2) & 1)
      if (at > end) throw damaged(path, 'unexpected end of file')
    }
    return most
  } finally {
    closeSync(file)
  }
}
