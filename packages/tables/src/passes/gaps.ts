import { cells, type Filled } from '@rlvi/estimator'
import type { Scanned, ScannedRows } from './scan.js'

interface Gone {
  readonly at: number
  /** Of texts: which of them say that there is none. */
  readonly gone: Uint8Array | undefined
}

/** How a missing value is told, of columns whose values can be told one by one. */
function goneIn({ numeric, texts, rules }: Scanned, names: readonly string[]): Gone[] {
  const { missing } = cells(rules)
  return names.map((name, at): Gone => {
    if (numeric.has(name)) return { at, gone: undefined }
    const { values = [] } = texts.get(name)!
    return { at, gone: Uint8Array.from(values, (text) => (missing.isText(text) ? 1 : 0)) }
  })
}

function isGap(item: number, gone: Uint8Array | undefined): boolean {
  return Number.isNaN(item) || gone?.[item] === 1
}

/** How many rows have a value in each column, of those that have the target, or anything where there is none. */
export class FilledRows {
  private rows = 0
  private readonly there: number[]
  private readonly columns: readonly Gone[]
  private readonly names: readonly string[]
  private readonly counting: readonly Gone[]
  private readonly texts: Scanned['texts']

  constructor(scanned: Scanned, names: readonly string[], target: string | undefined) {
    this.names = names
    this.texts = scanned.texts
    this.columns = goneIn(scanned, names)
    this.counting = this.columns.filter(({ at }) => target === undefined || names[at] === target)
    this.there = names.map(() => 0)
  }

  look({ rows, numbers }: ScannedRows): void {
    const counts = new Uint8Array(rows)
    for (const { at, gone } of this.counting) {
      const items = numbers[at]!
      for (let i = 0; i < rows; i++) if (!isGap(items[i]!, gone)) counts[i] = 1
    }
    for (let i = 0; i < rows; i++) this.rows += counts[i]!
    for (const { at, gone } of this.columns) {
      const items = numbers[at]!
      let there = 0
      for (let i = 0; i < rows; i++) if (counts[i] === 1 && !isGap(items[i]!, gone)) there++
      this.there[at]! += there
    }
  }

  /** Of rows that have a value in every column. */
  lookAtFull(rows: number): void {
    this.rows += rows
    for (const { at } of this.columns) this.there[at]! += rows
  }

  /** Of columns of too many texts only is known how many rows of all have one: as many of those that count, in proportion. */
  found(wide: readonly string[], total: number): Filled {
    const { rows } = this
    const columns = new Map(this.names.map((name, j) => [name, this.there[j]!]))
    for (const name of wide)
      columns.set(name, Math.ceil((rows * this.texts.get(name)!.there) / Math.max(1, total)))
    return { rows, columns }
  }
}

/** Which rows miss a value, in any column that has some and whose values can be told one by one. */
export class Gaps {
  private readonly columns: readonly Gone[]
  private gap = new Uint8Array(0)

  constructor(scanned: Scanned, names: readonly string[], ignored: readonly string[]) {
    this.columns = goneIn(scanned, names).filter(({ at, gone }) => {
      if (ignored.includes(names[at]!) || scanned.empty.has(names[at]!)) return false
      return gone === undefined || !gone.every((is) => is === 1)
    })
  }

  /** Of rows that have all. */
  none(rows: number): Uint8Array {
    if (this.gap.length < rows) this.gap = new Uint8Array(rows)
    return this.gap.fill(0)
  }

  /** 1 for each row that does, good until the next call. */
  of({ rows, numbers }: ScannedRows): Uint8Array {
    const gap = this.none(rows)
    for (const { at, gone } of this.columns) {
      const items = numbers[at]!
      for (let i = 0; i < rows; i++) if (isGap(items[i]!, gone)) gap[i] = 1
    }
    return gap
  }
}
