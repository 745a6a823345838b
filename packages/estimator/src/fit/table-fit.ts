import type { BadFrom, Corruption, ErrorLaw, Matrix, Status, TraceStep } from 'rlvi'
import type { Habit } from '../audit/habits.js'
import type { TableCaution } from '../diagnostics/cautions.js'
import type { SavedModel } from '../model/saved-model.js'
import type { Explained } from './explained.js'
import type { Intervals } from './intervals.js'
import type { NamedErrors, NamedParams } from './named-params.js'
import type { Response } from './target.js'
import type { Units } from './units.js'

/** A fit of a table, in the table's units: plain data. Arrays have an entry for each row that was used. */
export interface TableFit {
  /** To predict by, and to keep. */
  readonly model: SavedModel
  /** Its parameters by the names of columns. */
  readonly params: NamedParams
  /** Their standard errors, where the method gives them. */
  readonly standardErrors: NamedErrors | undefined
  /** Where the parameters lie with a probability of 90 %, in the same shape. */
  readonly intervals: Intervals | undefined
  /** What the model would be without protection: the fit of maximum likelihood, where the method is another one. */
  readonly ml: NamedParams | undefined
  /** How much of the target is explained, in the rows that the fit trusts. */
  readonly explained: Explained | undefined
  /** How many whole rows weigh as much as the rows do by P(good). */
  readonly effectiveRows: number
  /** How much of the data is bad. */
  readonly corruption: Corruption
  /** Which labels are taken for which, where they go wrong by habit: `corruption.habits` in the table's own names. */
  readonly habits: readonly Habit[] | undefined
  /** The law of good rows' errors, where the method chooses one; `errorLawText` has words for it. */
  readonly errors: ErrorLaw | undefined
  /** How far off rows count as bad, in units of the target (or of the one column), where the method says so; `badFromText` has words for it. */
  readonly badFrom: BadFrom | undefined
  /** What speaks against taking the result at its word. */
  readonly cautions: readonly TableCaution[]
  /** P(row is good), or where only ratios are known a weight with the best row's as 1. */
  readonly clean: Float64Array
  /** How badly each row fits. */
  readonly losses: Float64Array
  /** Rows that are more probably bad than good (`clean` below 0.5). */
  readonly flagged: number
  /** The expected value or rate, P(second class), or under softmax P(most probable class). */
  readonly predicted: Float64Array | undefined
  /** The most probable class of each row, by its place in `model.target.classes`. */
  readonly suggested: Int32Array | undefined
  /** Rows of the table. */
  readonly inputRows: number
  /** The place in the table of each row that was used: an index, from 0. (`rlvi fit` shows these plus 1.) */
  readonly rows: Int32Array
  /**
   * Where the table was not read into memory the arrays hold some rows only: an even sample, and behind it those that the
   * fit trusts least. How many rows were used in all is `model.rows`.
   */
  readonly part?: {
    readonly rows: number
    /** How many of all rows have a P(good) below 0, 0.01, ... 1. */
    readonly below?: Float64Array | undefined
    /** Of labels: how many of all rows have each and look like each, row by row. */
    readonly labels?: Float64Array | undefined
    /** So many of the worst rows are there without a gap. */
    readonly worst: number
    /** So many rows stand behind the even sample, since they are among the worst. */
    readonly beside?: number
  }
  /** Rows that were left out because a value is missing. */
  readonly dropped: number
  /** How the fit ended. */
  readonly status: Status
  readonly iterations: number
  readonly trace: readonly TraceStep[]
  /** What a person should know before using the result: what was chosen, left out, or looks doubtful; the cautions too. */
  readonly remarks: readonly string[]
  /** The features as the fit saw them. */
  readonly design: TableDesign
  /** The target as the fit saw it: numbers, or places of classes. */
  readonly response: Response | undefined
}

/** A column of numbers for each feature, an indicator for each category but the most frequent one. */
export interface TableDesign {
  /** `column`, or `column=category`. */
  readonly names: readonly string[]
  /** (value - centre) / scale of each row and feature. */
  readonly x: Matrix
  readonly units: Units
}
