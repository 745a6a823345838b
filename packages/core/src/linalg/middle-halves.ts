import { columnOf, type Matrix } from '../matrix.js'
import { kthSmallest } from './kth-smallest.js'
import { type MiddleHalf, middleHalf, ofQuartiles, QUARTILES, rankOf } from './middle-half.js'

/** So many rows tell roughly where a column's values lie, up to so far from the outermost on either side. */
const LOOKED_AT = 4096
const OUTER = 0.01
/** The stretch between is cut into so many bins, the ends with all beyond. */
const BINS = 512
/** Bins with more than this share of the rows are not taken out. */
const MOST = 0.1
/** Rows of which all columns stay in a processor's cache. */
const BLOCK = 1024

/**
 * The middle half of each column, the same numbers as column by column. Of many rows in two passes over them as they lie: one counts
 * values in bins, one takes out those of the bins with the quartiles, among which they are.
 */
export function middleHalves(x: Matrix): MiddleHalf[] {
  const { rows, cols } = x
  const byItself = (_: unknown, j: number): MiddleHalf => middleHalf(columnOf(x, j))
  if (rows < 4 * LOOKED_AT) return Array.from({ length: cols }, byItself)
  const bins = Array.from({ length: cols }, (_, j) => binsOf(x, j))
  inBlocks(x, bins, count)
  for (const column of bins) if (column !== undefined) findQuartiles(column, rows)
  inBlocks(x, bins, takeOut)
  return bins.map((column, j) => {
    const found = column?.quartiles.map(({ rank, values }) =>
      rank < values.length ? kthSmallest(Float64Array.from(values), rank) : undefined,
    )
    return found === undefined || found.includes(undefined)
      ? byItself(undefined, j)
      : ofQuartiles(found as number[])
  })
}

interface Bins {
  readonly from: number
  readonly perUnit: number
  readonly counts: Int32Array
  /** Whether a quartile is in the bin, and the bin has not more than can be taken out: the ties of an indicator, say. */
  readonly isWanted: Uint8Array
  readonly quartiles: Quartile[]
}

interface Quartile {
  readonly bin: number
  /** Among the values of its bin. */
  readonly rank: number
  /** Those. */
  readonly values: number[]
}

/** Undefined where values have no width. */
function binsOf({ rows, cols, values }: Matrix, j: number): Bins | undefined {
  const some = Float64Array.from(
    { length: LOOKED_AT },
    (_, k) => values[Math.floor((k * rows) / LOOKED_AT) * cols + j],
  ).sort()
  const from = some[rankOf(OUTER, LOOKED_AT)]
  const perUnit = BINS / (some[rankOf(1 - OUTER, LOOKED_AT)] - from)
  if (!(perUnit > 0 && Number.isFinite(perUnit))) return undefined
  return { from, perUnit, counts: new Int32Array(BINS), isWanted: new Uint8Array(BINS), quartiles: [] }
}

/** The bin of a value: a larger value is in no earlier one. */
function binOf(value: number, from: number, perUnit: number): number {
  return Math.max(0, Math.min(BINS - 1, (value - from) * perUnit)) | 0
}

type OfColumn = (bins: Bins, values: Float64Array, from: number, to: number, step: number) => void

function inBlocks({ rows, cols, values }: Matrix, bins: readonly (Bins | undefined)[], does: OfColumn): void {
  for (let row = 0; row < rows; row += BLOCK)
    for (let j = 0; j < cols; j++) {
      const column = bins[j]
      if (column !== undefined) does(column, values, row * cols + j, Math.min(rows, row + BLOCK) * cols, cols)
    }
}

function count(
  { from, perUnit, counts }: Bins,
  values: Float64Array,
  at: number,
  to: number,
  step: number,
): void {
  for (let i = at; i < to; i += step) counts[binOf(values[i], from, perUnit)]++
}

function takeOut(bins: Bins, values: Float64Array, at: number, to: number, step: number): void {
  const { from, perUnit, isWanted, quartiles } = bins
  for (let i = at; i < to; i += step) {
    const bin = binOf(values[i], from, perUnit)
    if (isWanted[bin] === 0) continue
    for (const quartile of quartiles) if (quartile.bin === bin) quartile.values.push(values[i])
  }
}

function findQuartiles({ counts, isWanted, quartiles }: Bins, rows: number): void {
  for (const share of QUARTILES) {
    let bin = 0
    let rank = rankOf(share, rows)
    while (rank >= counts[bin]) rank -= counts[bin++]
    quartiles.push({ bin, rank, values: [] })
    if (counts[bin] < MOST * rows) isWanted[bin] = 1
  }
}
