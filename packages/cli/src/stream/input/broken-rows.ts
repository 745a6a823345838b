import { RlviError } from 'rlvi'
import type { Io } from '../../terminal/io.js'

const AT_MOST = 100
const WITHIN_MS = 60_000

/** A row that stops a strict run. */
export class BrokenRow extends RlviError {
  constructor(where: string, problem: string) {
    super(where, problem, undefined)
    // The problem says already what was got.
    this.message = `${where}: ${problem}`
  }
}

/** Where rows that are left out are reported. */
export interface BrokenRows {
  report(where: string, row: number, problem: string): void
  end(): void
}

/**
 * Reports each row that is left out, unless they come in such numbers that nothing else could be seen. Then the rest of
 * a minute is counted.
 */
export function brokenRows(io: Io, strict: boolean): BrokenRows {
  let reported = 0
  let counted = 0
  let since = performance.now()
  const sum = (): void => {
    if (counted > 0) io.remark(`${counted} more broken ${counted === 1 ? 'row was' : 'rows were'} left out`)
    counted = 0
  }
  return {
    report(where, row, problem) {
      if (strict) throw new BrokenRow(where, problem)
      const now = performance.now()
      if (now - since > WITHIN_MS) {
        sum()
        reported = 0
        since = now
      }
      if (reported === AT_MOST) counted++
      else {
        reported++
        io.remark(`${where}: ${problem}; row ${row} is left out`)
        if (reported === AT_MOST) io.remark('more broken rows within this minute are only counted')
      }
    },
    end: sum,
  }
}
