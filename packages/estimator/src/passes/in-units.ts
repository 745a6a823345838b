import { type Matrix, matrix, type Supervised, sharedMatrix } from 'rlvi'
import type { Blocks, PassTask } from 'rlvi/passes'
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
      // Two of each: a block may still be written while the next one is made.
      const rooms: Room[] = []
      let count = 0
      await blocks.each(async (block, first) => {
        const { rows } = block.x
        const which = count++ % 2
        let room = rooms[which]
        if (room === undefined || room.x.rows < rows) {
          room = { x: zeros(rows, cols), y: new Float64Array(block.y.length) }
          rooms[which] = room
        }
        const x = { rows, cols, values: room.x.values.subarray(0, rows * cols) }
        const y = room.y.subarray(0, block.y.length)
        inUnits(block.x, kept, units, x.values)
        responseInUnits(block.y, answer, y)
        await use({ x, y }, first)
      })
    },
    // Whoever has the rows puts them into units on the way.
    async parts(task, merge) {
      const own: PassTask & { readonly units: RowUnits } = { ...task, units: { kept, units, answer } }
      return (await blocks.parts?.(own, merge)) ?? false
    },
  }
}

/** Which columns of the rows a task is about, and in which units. */
export interface RowUnits {
  readonly kept: readonly number[]
  readonly units: Units
  readonly answer: ResponseUnits
}

interface Room {
  readonly x: Matrix
  readonly y: Float64Array
}

function responseInUnits(y: Float64Array, { centre, scale }: ResponseUnits, out: Float64Array): void {
  const per = 1 / scale
  for (let i = 0; i < out.length; i++) out[i] = (y[i]! - centre) * per
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
  if (kept.length === x.cols) {
    const { values } = x
    for (let at = 0; at < out.length; at += x.cols)
      for (let k = 0; k < x.cols; k++) out[at + k] = (values[at + k]! - centre[k]!) * per[k]!
    return
  }
  for (let i = 0, at = 0; i < x.rows; i++) {
    const row = i * x.cols
    for (let k = 0; k < from.length; k++) out[at++] = (x.values[row + from[k]!]! - centre[k]!) * per[k]!
  }
}

/** In shared memory, which fits spread over the cores, where there is such a thing. */
function zeros(rows: number, cols: number): Matrix {
  return typeof SharedArrayBuffer === 'undefined' ? matrix(rows, cols) : sharedMatrix(rows, cols)
}
