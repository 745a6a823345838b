import { missingValue } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import type { Io } from '../../terminal/io.js'
import { rowNumber } from '../../terminal/row-number.js'

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
 * a minute is counted. At the end it says how many rows each column cost by its missing values.
 */
export function brokenRows(io: Io, strict: boolean): BrokenRows {
  let reported = 0
  let counted = 0
  let since = performance.now()
  /** How many rows each column cost because it has no value there. */
  const missing = new Map<string, number>()
  const sum = (): void => {
    if (counted > 0) io.remark(`${counted} more broken ${counted === 1 ? 'row was' : 'rows were'} left out`)
    counted = 0
  }
  return {
    report(where, row, problem) {
      if (strict) throw new BrokenRow(where, problem)
      const [column, ...rest] = problem.split(`: ${missingValue}`)
      if (rest.length > 0) missing.set(column!, (missing.get(column!) ?? 0) + 1)
      const now = performance.now()
      if (now - since > WITHIN_MS) {
        sum()
        reported = 0
        since = now
      }
      if (reported === AT_MOST) counted++
      else {
        reported++
        io.remark(`${where}: ${problem}; row ${rowNumber(row)} is left out`)
        if (reported === AT_MOST) io.remark('more broken rows within this minute are only counted')
      }
    },
    end() {
      sum()
      const costs = [...missing].map(([column, count]) => `${column} ${count}`)
      const total = [...missing.values()].reduce((sum, count) => sum + count, 0)
      // One row has been reported by itself.
      if (total > 1) io.remark(`rows left out for missing values: ${costs.join(', ')}`)
    },
  }
}
