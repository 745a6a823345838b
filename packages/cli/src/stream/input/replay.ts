import { crc32 } from 'node:zlib'
import { phrase, RlviError } from 'rlvi'
import type { Checkpoint, Position } from '../state/checkpoint.js'
import type { Piece } from './sources.js'

/** The input that has not been learned yet: all of it, or what comes after the checkpoint. */
export async function* unlearnedPieces(
  all: AsyncIterable<Piece>,
  saved: Checkpoint | undefined,
  continues: boolean,
  name: (source: number) => string,
): AsyncGenerator<Piece> {
  if (saved === undefined) yield* all
  else if (continues) {
    if (saved.unlearned !== '') yield { source: 0, bytes: Buffer.from(saved.unlearned, 'base64') }
    yield* all
  } else yield* replay(all, saved.position, name)
}

/**
 * The input after a checkpoint's position, when it is given again from its start. Everything before is read once more
 * and must be what it was: continuing with another input would learn rows twice, or never.
 */
async function* replay(
  pieces: AsyncIterable<Piece>,
  position: Position,
  name: (source: number) => string,
): AsyncGenerator<Piece> {
  let crc = 0
  let done = 0
  let passed = position.source === 0 && position.bytes === 0
  let checkNewline = position.unterminated
  for await (const piece of pieces) {
    let { bytes } = piece
    if (!passed) {
      const last = piece.source === position.source
      const old =
        bytes === undefined ? 0 : last ? Math.min(bytes.length, position.bytes - done) : bytes.length
      if (bytes !== undefined) crc = crc32(bytes.subarray(0, old), crc)
      done = bytes === undefined && !last ? 0 : done + old
      bytes = bytes?.subarray(old)
      passed = last && done === position.bytes
      if (passed) checkCrc(name(piece.source), crc, position)
      else if (last && bytes === undefined) throw tooShort(name(piece.source), done, position)
      if (!passed || bytes?.length === 0) continue
    }
    if (checkNewline && bytes !== undefined && piece.source === position.source) {
      checkNewline = false
      checkContinued(name(piece.source), bytes, position)
    }
    yield { source: piece.source, bytes }
  }
}

const other =
  'give the input from its start, as the run before had it; for one that goes on: --input-continues; to begin anew: remove the state'

function checkCrc(name: string, crc: number, position: Position): void {
  if (crc === position.crc) return
  const rule = `the ${position.bytes} bytes that the state was made from are needed`
  throw new RlviError(name, rule, phrase('others'), other)
}

function tooShort(name: string, done: number, position: Position): RlviError {
  const rule = `the ${position.bytes} bytes that the state was made from are needed`
  return new RlviError(name, rule, phrase(`${done}`), other)
}

/** The last row was taken without its newline, because the input ended: now it must not go on. */
function checkContinued(name: string, bytes: Buffer, position: Position): void {
  if (bytes[0] === 0x0a || bytes[0] === 0x0d) return
  const rule = `line ${position.lines} was learned when it ended without a newline, and must end there`
  const todo = 'write whole lines before the input ends, or use --follow; to begin anew: remove the state'
  throw new RlviError(name, rule, phrase('more of it'), todo)
}
