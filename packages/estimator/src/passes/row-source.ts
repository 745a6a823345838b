import type { Supervised } from 'rlvi'
import type { Blocks } from 'rlvi/passes'
import type { Column } from '../columns/column.js'
import type { WholeTarget } from '../fit/target.js'
import type { RowPlan } from './row-plan.js'

/** A table that is not read into memory: some of its rows, and all of them one after the other. */
export interface Source<Rows> {
  /** Some rows by their columns: an even sample, and rows with what is rare, so that nothing of the table is unseen in them. */
  readonly sample: ReadonlyMap<string, Column>
  /** The place in the table of each of these rows; -1 where rows have no order. */
  readonly places: Float64Array
  /** Which of them are the even sample. */
  readonly even: Int32Array
  /** What all rows say. */
  readonly whole: WholeTarget
  /** The different texts of columns that are not of numbers, by the codes that rows have; of long ones nothing. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  /** Columns that a database knows for dates: their days it finds itself. */
  readonly dates?: ReadonlySet<string>
  /** Whether the rows stay in a database, which memory of ours does not help. */
  readonly isDatabase?: boolean
  /** How many of the rows that a fit trusts least are wanted; left out, a few. */
  readonly worstRows?: number | undefined
  /** Columns in which a gap makes no row incomplete. */
  readonly ignored: readonly string[]
  /** The same table, where these are ignored: its sample shows what the other columns have beside such gaps. */
  ignoring(columns: readonly string[]): Promise<Source<Rows>>
  /** All rows without a gap, as rows of a design. */
  open(plan: RowPlan): Promise<Rows>
}

/** A table whose rows come in blocks. */
export interface RowSource extends Source<OpenRows> {
  ignoring(columns: readonly string[]): Promise<RowSource>
}

/** The rows of a design, all that miss no value. */
export interface OpenRows extends Blocks<Supervised> {
  /** Rows of the table. */
  readonly inputRows: number
  /** Rows that miss a value, by column. */
  readonly missing: ReadonlyMap<string, number>
  /** The places in the table of rows by their places among the complete ones. */
  inputPlaces(places: Float64Array): Float64Array
}
