import type { RowPlan } from '@rlvi/estimator'
import type { Supervised } from 'rlvi'
import { columnsOf, DesignRows } from './design-rows.js'
import { type Scanned, scan } from './scan.js'

/** Some rows of a table in their order. */
export interface InputRows {
  /** The place of the first in the table. */
  readonly first: number
  readonly rows: number
  /** The complete ones as rows of the design. */
  readonly block: Supervised
  /** Of each row its place in `block`, or -1 where it misses a value. */
  readonly places: Int32Array
  /** The text of a row, of the columns that were asked for. */
  text(column: number, row: number): string | null
}

/** One scan of all rows, the incomplete ones too, with some columns as they are. */
export async function eachInputRows(
  scanned: Scanned,
  plan: RowPlan,
  names: readonly string[],
  use: (rows: InputRows) => void | Promise<void>,
): Promise<void> {
  const design = new DesignRows({ ...plan, strict: false })
  const hasResponse = plan.target !== undefined
  await scan(scanned, columnsOf(plan), names, async (found) => {
    const { first, rows, text } = found
    const gap = design.gaps(found)
    const x = new Float64Array(rows * plan.cols)
    const y = new Float64Array(hasResponse ? rows : 0)
    const { to } = design.fill(found, gap, 0, x, y, 0, rows)
    const places = new Int32Array(rows)
    for (let i = 0, at = 0; i < rows; i++) places[i] = gap[i] === 0 ? at++ : -1
    const values = x.subarray(0, to * plan.cols)
    const block = { x: { rows: to, cols: plan.cols, values }, y: y.subarray(0, hasResponse ? to : 0) }
    await use({ first, rows, block, places, text })
  })
}
