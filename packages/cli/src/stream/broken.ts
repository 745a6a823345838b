import { RlviError } from 'rlvi'
import type { Io } from '../terminal/io.js'

const AT_MOST = 100
const WITHIN_MS = 60_000

/** A row that stops a strict run. */
export class BrokenRow extends RlviError {
  constructor(where: string, problem: string) {
    super(where, problem, undefined)
    // The problem tells already what was got.
    this.message = `${where}: ${problem}`
  }
}

/**
 * Tells of rows that are left out: each of them, unless they come in such numbers that nothing else could be seen.
 * Then the rest of a minute is counted.
 */
export function brokenRows(
  io: Io,
  strict: boolean,
): { tell(where: string, row: number, problem: string): void; end(): void } {
  let told = 0
  let untold = 0
  let since = performance.now()
  const sum = (): void => {
    if (untold > 0) io.remark(`${untold} more broken ${untold === 1 ? 'row was' : 'rows were'} left out`)
    untold = 0
  }
  return {
    tell(where, row, problem) {
      if (strict) throw new BrokenRow(where, problem)
      const now = performance.now()
      if (now - since > WITHIN_MS) {
        sum()
        told = 0
        since = now
      }
      if (told === AT_MOST) untold++
      else {
        told++
        io.remark(`${where}: ${problem}; row ${row} is left out`)
        if (told === AT_MOST) io.remark('more broken rows within this minute are only counted')
      }
    },
    end: sum,
  }
}
