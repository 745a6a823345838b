import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { endOfRecord } from './csv.js'

/** Longer records are broken ones: a line without end, or a quote that nothing closes. */
export const LONGEST: number = 1024 * 1024

const NEWLINE = 0x0a
const QUOTE = 0x22

/** How far a source has been read: through the end of a record. */
export interface Place {
  /** Of this source. */
  readonly bytes: number
  /** Of this source. */
  readonly lines: number
  /** CRC-32 of all bytes so far, those of earlier sources too. */
  readonly crc: number
}

/** Called for each record that is not blank: its text without the newline, or what is wrong with it. */
export type EachRecord = (text: string, line: number, problem: string | undefined) => void

/** Cuts bytes, however they come in pieces, into records. The same bytes give the same records. */
export interface Splitter {
  /** More bytes have come: calls `each` for every record that they complete. */
  take(bytes: Buffer, each: EachRecord): void
  /** Nothing more comes: the last line may lack its newline. Returns whether it did. */
  end(each: EachRecord): boolean
  /** Through the record given last. */
  place(): Place
  /** Whether bytes are being passed over until a line ends that was too long. */
  readonly dropping: boolean
}

/**
 * A splitter of CSV, whose records may have newlines in quotes, or of lines.
 *
 * @param start - how far the source was read before, `{ bytes: 0, lines: 0, crc: 0 }` at its beginning
 * @param delimiter - that of CSV; without it each line is a record
 * @example
 * const split = splitter({ bytes: 0, lines: 0, crc: 0 }, ',')
 * const each = (text, line, problem) => console.log(line, problem ?? fields(text, ','))
 * for await (const bytes of createReadStream('rows.csv')) split.take(bytes, each)
 * split.end(each)
 */
export function splitter(start: Place, delimiter?: string): Splitter {
  const sign = delimiter?.charCodeAt(0)
  // What has come and is no whole record yet begins at `at`; bytes before `hashed` are in `crc`.
  let window: Buffer = Buffer.alloc(0)
  let at = 0
  let hashed = 0
  let { bytes: before, lines, crc } = start
  /** In a line that is too long: everything up to its newline is dropped. */
  let dropping = false

  function hash(): void {
    if (at > hashed) crc = crc32(window.subarray(hashed, at), crc)
    hashed = at
  }

  function give(end: number, next: number, each: EachRecord): void {
    const stop = end > at && window[end - 1] === 0x0d ? end - 1 : end
    const text = window.toString('utf8', at, stop)
    const line = lines + 1
    // The sign that stands for bytes that are no text may also be in the text itself.
    const foreign = text.includes('\ufffd') && !isUtf8(window.subarray(at, stop))
    lines += 1 + (sign === undefined ? 0 : newlines(at, end))
    at = next
    if (foreign) each(text, line, 'text in UTF-8 is needed, got other bytes')
    else if (text.trim() !== '') each(text, line, undefined)
  }

  function newlines(from: number, to: number): number {
    let count = 0
    for (let i = window.indexOf(NEWLINE, from); i >= 0 && i < to; i = window.indexOf(NEWLINE, i + 1)) count++
    return count
  }

  /** A line of which nothing can be had. Where it ends without a newline, what follows of it is dropped too. */
  function drop(newline: number, problem: string, each: EachRecord): void {
    const line = lines + 1
    dropping = newline < 0
    if (!dropping) lines++
    at = dropping ? window.length : newline + 1
    each('', line, problem)
  }

  function cut(ended: boolean, each: EachRecord): void {
    if (before + at === 0) {
      // The mark that some programs put before UTF-8.
      if (window.length < 3 && !ended) return
      if (window[0] === 0xef && window[1] === 0xbb && window[2] === 0xbf) at = 3
    }
    let quote = -2
    while (at < window.length) {
      const newline = window.indexOf(NEWLINE, at)
      if (dropping) {
        at = newline < 0 ? window.length : newline + 1
        if (newline >= 0) lines++
        dropping = newline < 0
        continue
      }
      if (sign !== undefined && quote !== -1 && quote < at) quote = window.indexOf(QUOTE, at)
      const quoted = sign !== undefined && quote >= at && (newline < 0 || quote < newline)
      const room = Math.min(window.length, at + LONGEST + 1)
      const full = window.length - at > LONGEST
      const end = quoted ? endOfRecord(window.subarray(0, room), at, sign!) : newline
      if (end === 'broken') drop(newline, 'a value must end where its quote ends, got more behind it', each)
      else if (end === 'unfinished') {
        const last = ended && closes(window.subarray(at))
        if (last) give(window.length, window.length, each)
        else if (full || ended) drop(newline, `a quote must end within ${LONGEST} bytes, got none`, each)
        else return
      } else if (end < 0 && !full) {
        if (!ended) return
        give(window.length, window.length, each)
      } else if (end < 0 || end - at > LONGEST) {
        drop(newline, `at most ${LONGEST} bytes are taken for a line, got more`, each)
      } else give(end, end + 1, each)
    }
  }

  /** Whether a newline is all that the last record lacks. */
  function closes(rest: Buffer): boolean {
    return endOfRecord(Buffer.concat([rest, Buffer.from('\n')]), 0, sign!) === rest.length
  }

  return {
    take(chunk, each) {
      hash()
      const rest = window.subarray(at)
      before += at
      window = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      at = 0
      hashed = 0
      cut(false, each)
    },
    end(each) {
      cut(true, each)
      return window.length > 0 && window[window.length - 1] !== NEWLINE
    },
    place() {
      hash()
      return { bytes: before + at, lines, crc }
    },
    get dropping() {
      return dropping
    },
  }
}
