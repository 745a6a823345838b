import type { Params } from 'rlvi'
import { type Aggregates, inBlocks, type PassModel } from 'rlvi/passes'
import type { ResponseUnits, Units } from '../fit/units.js'
import { blocksInUnits } from './in-units.js'
import { type JudgedRows, type Judging, judgeBlocks } from './judge-rows.js'
import { valuesAt } from './quartiles.js'
import type { OpenRows } from './row-source.js'

/** All complete rows of a table as rows of a design, wherever they are: what a fit asks of them. */
export interface PassRows {
  readonly rows: number
  /** Rows of the table. */
  readonly inputRows: number
  /** Rows that miss a value, by column. */
  readonly missing: ReadonlyMap<string, number>
  /** Nearly the mean of each column. */
  readonly centre: Float64Array
  sums<P extends Params>(model: PassModel<P>): Aggregates<P>
  /** Some columns, as (value - centre) / scale, and the response likewise. */
  inUnits(kept: readonly number[], units: Units, answer: ResponseUnits): PassRows
  /** The lower quartile, the median and the upper quartile of each column; left out where they would cost too much. */
  quartiles?(): Promise<readonly Float64Array[]>
  /** What a last pass says of a fit. */
  judge<P extends Params>(fit: RowFit<P>): Promise<JudgedRows>
  /** The places in the table of rows by their places among the complete ones. */
  inputPlaces(places: Float64Array): Float64Array
}

/** What is known of every row after a fit, by rules. */
export type RowFit<P extends Params> = Judging<P>

/** Rows that come in blocks. */
export function blockRows(open: OpenRows): PassRows {
  return {
    // The first pass finds how many rows there are, and what they miss.
    get rows() {
      return open.rows
    },
    get missing() {
      return open.missing
    },
    inputRows: open.inputRows,
    centre: open.centre,
    sums: (model) => inBlocks(model, open),
    inUnits(kept, units, answer) {
      return blockRows({ ...open, ...blocksInUnits(open, kept, units, answer) })
    },
    quartiles: () => valuesAt(open, [0.25, 0.5, 0.75]),
    judge: (fit) => judgeBlocks(open, fit),
    inputPlaces: (places) => open.inputPlaces(places),
  }
}
