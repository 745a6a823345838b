import type { OpenRows, RowPlan } from '@rlvi/estimator'
import type { Supervised } from 'rlvi'
import { allFinite, type EachBlock } from 'rlvi/passes'
import { type BlockFile, COPY_ROWS } from './block-file.js'
import { columnsOf, DesignRows } from './design-rows.js'
import { type Scanned, type ScannedRows, scan } from './scan.js'
import type { CopyShape } from './scan-copy.js'

/** The rows of a table as rows of a design, scanned by the database, or read from the copy of what it found. */
export function openRows(scanned: Scanned, plan: RowPlan): OpenRows & AsCopied {
  const inputRows = scanned.rows.reduce((sum, count) => sum + count, 0)
  const hasResponse = plan.target !== undefined
  const dropped = new RowSet(inputRows)
  const { copy } = scanned
  const isLike = copy?.holds(columnsOf(plan)) === true && isAsCopied(plan, copy.shape)
  const file = isLike ? copy.complete : undefined
  // Known after the first pass.
  let rows = file === undefined ? -1 : inputRows
  let missing: ReadonlyMap<string, number> = new Map()

  const each = async (use: EachBlock<Supervised>): Promise<void> => {
    const design = new DesignRows(plan)
    // While one block is written another one is filled.
    const rooms = once(() =>
      [0, 1].map(() => ({
        x: new Float64Array(new SharedArrayBuffer(8 * COPY_ROWS * plan.cols)),
        y: new Float64Array(hasResponse ? COPY_ROWS : 0),
      })),
    )
    let [which, to, first] = [0, 0, 0]
    const full = async (): Promise<void> => {
      const { x, y } = rooms()[which]!
      const values = x.subarray(0, to * plan.cols)
      await use({ x: { rows: to, cols: plan.cols, values }, y: y.subarray(0, hasResponse ? to : 0) }, first)
      first += to
      to = 0
      which = 1 - which
    }
    const add = async (found: ScannedRows): Promise<void> => {
      const gap = design.gaps(found)
      if (rows < 0) dropped.add(found.first, gap, found.rows)
      for (let from = 0; from < found.rows; ) {
        const { x, y } = rooms()[which]!
        const next = design.fill(found, gap, from, x, y, to, COPY_ROWS)
        from = next.from
        to = next.to
        if (to === COPY_ROWS) await full()
      }
    }
    const names = columnsOf(plan)
    if (isLike && copy.holds(names))
      await copy.each(async (found) => {
        const { x, y, rows: count } = found
        // Rows that miss nothing are rows of the design as they lie there.
        if (to === 0 && allFinite(x) && allFinite(y)) {
          await use({ x: { rows: count, cols: plan.cols, values: x }, y }, first)
          first += count
        } else await add({ ...found, numbers: copy.columns(found, names), text: () => null })
      })
    else await scan(scanned, names, [], add)
    if (to > 0) await full()
    if (rows < 0) {
      missing = design.missing
      rows = first
    }
  }

  return {
    file,
    inputRows,
    cols: plan.cols,
    centre: plan.centre,
    get rows() {
      return rows
    },
    get missing() {
      return missing
    },
    each,
    inputPlaces: (places) => places.map((place) => dropped.nthOther(place)),
  }
}

/** Where all rows of a design lie already, as the scan copied them. */
interface AsCopied {
  readonly file: BlockFile | undefined
}

/** Whether every column of a design is one of the copy, in the same order, and the target too. */
function isAsCopied({ columns, needed, target }: RowPlan, { features, target: copied }: CopyShape): boolean {
  return (
    needed.length === 0 &&
    columns.length === features.length &&
    columns.every(({ name, codes }, j) => name === features[j] && codes === undefined) &&
    target?.name === copied &&
    (target === undefined || (target.codes === undefined && target.labels === undefined && !target.counts))
  )
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Rows of a table, one bit each. */
class RowSet {
  private readonly bits: Uint8Array
  private readonly rows: number
  private size = 0

  constructor(rows: number) {
    this.rows = rows
    this.bits = new Uint8Array(Math.ceil(rows / 8))
  }

  add(first: number, marks: Uint8Array, count: number): void {
    for (let i = 0; i < count; i++) {
      if (marks[i] === 0) continue
      const row = first + i
      this.bits[Math.floor(row / 8)]! |= 1 << (row % 8)
      this.size++
    }
  }

  /** The row that is number n, from 0, of those that are not in the set. */
  nthOther(n: number): number {
    if (this.size === 0) return n
    let others = -1
    for (let row = 0; row < this.rows; row++) {
      if ((this.bits[Math.floor(row / 8)]! & (1 << (row % 8))) === 0) others++
      if (others === n) return row
    }
    return -1
  }
}
