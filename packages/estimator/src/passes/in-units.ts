import { type Matrix, matrix, type Supervised, sharedMatrix } from 'rlvi'
import type { Blocks } from 'rlvi/passes'
import type { ResponseUnits, Units } from '../fit/units.js'

/** Some columns of the rows, as (value - centre) / scale, and the response likewise. */
export function blocksInUnits(
  blocks: Blocks<Supervised>,
  kept: readonly number[],
  units: Units,
  answer: ResponseUnits,
): Blocks<Supervised> {
  const cols = kept.length
  return {
    rows: blocks.rows,
    cols,
    centre: Float64Array.from(kept, (j, k) => (blocks.centre[j]! - units.centre[k]!) / units.scale[k]!),
    async each(use) {
      let room: Matrix | undefined
      let y = new Float64Array(0)
      await blocks.each((block, first) => {
        const { rows } = block.x
        if (room === undefined || room.rows < rows) room = zeros(rows, cols)
        const x = { rows, cols, values: room.values.subarray(0, rows * cols) }
        inUnits(block.x, kept, units, x.values)
        if (y.length < block.y.length) y = new Float64Array(block.y.length)
        const own = y.subarray(0, block.y.length)
        for (let i = 0; i < own.length; i++) own[i] = (block.y[i]! - answer.centre) / answer.scale
        use({ x, y: own }, first)
      })
    },
  }
}

/** The kept columns of a matrix in units. */
export function inUnits(
  x: Matrix,
  kept: readonly number[],
  { centre, scale }: Units,
  out: Float64Array,
): void {
  const from = Int32Array.from(kept)
  const per = scale.map((value) => 1 / value)
  for (let i = 0, at = 0; i < x.rows; i++) {
    const row = i * x.cols
    for (let k = 0; k < from.length; k++) out[at++] = (x.values[row + from[k]!]! - centre[k]!) * per[k]!
  }
}

/** In shared memory, which fits spread over the cores, where there is such a thing. */
function zeros(rows: number, cols: number): Matrix {
  return typeof SharedArrayBuffer === 'undefined' ? matrix(rows, cols) : sharedMatrix(rows, cols)
}
