import { type LinearRegressionParams, type Matrix, matrix, type Params, type Supervised } from 'rlvi'
import {
  type Blocks,
  modelOf,
  type PassModel,
  type PassTask,
  type RowWeights,
  specOf,
  weigh,
} from 'rlvi/passes'
import type { Explained } from '../fit/explained.js'
import { flagBelow } from '../fit/flag-below.js'
import type { Fitted } from '../model/saved-model.js'
import { predictions } from '../predict/predictions.js'
import { ExplainedRows, type ExplainedSums, explainedBy } from './explained-sums.js'
import { type TellingPart, TellingRows } from './telling-rows.js'
import { type BadRow, Worst } from './worst.js'

/** What a last pass over all rows says of a fit. */
export interface JudgedRows {
  readonly flagged: number
  readonly effectiveRows: number
  readonly explained: Explained | undefined
  /** The rows that the fit trusts least, worst first. */
  readonly worst: WorstRows
  /** How many rows have a P(good) below 0, 0.01, ... 1. */
  readonly below?: Float64Array
  /** Of labels: how many rows have each (given) and look like each (suggested), row by row. */
  readonly labels?: Float64Array
  /** Of labels: rows that show which of them can be told from others, and which not. */
  readonly telling?: Supervised
}

/** Some rows, by their place among the complete ones. */
export interface WorstRows {
  readonly places: Float64Array
  readonly x: Matrix
  readonly y: Float64Array
}

/** So many of the worst rows are kept where nobody asks for more. */
const MOST_ROWS = 8
/** Rows that nobody doubts are not among the worst, however many are wanted. */
const DOUBTFUL = 0.99

/** What the last pass is about. */
export interface Judging<P extends Params> {
  readonly model: PassModel<P>
  readonly params: P
  readonly clean: RowWeights<P>
  readonly fitted: Fitted
  readonly supervised: boolean
  /** How many of the worst rows are wanted: all with doubts. Left out, a few that are flagged. */
  readonly worst?: number | undefined
}

/** The last pass in plain data, for another thread. */
export interface JudgeTask extends PassTask, Omit<Judging<Params>, 'model'> {
  readonly by: 'judge'
  readonly cols: number
}

export async function judgeBlocks<P extends Params>(
  blocks: Blocks<Supervised>,
  judging: Judging<P>,
): Promise<JudgedRows> {
  const sums = new JudgeSums(blocks.cols, judging)
  const { model, ...rule } = judging
  const task: JudgeTask = { by: 'judge', model: specOf(model), ...rule, cols: blocks.cols }
  const isDone = await blocks.parts?.(task, (part) => sums.merge(part as JudgePart))
  if (!isDone) await blocks.each((data, first) => sums.add(data, first))
  return sums.finish()
}

/** The rows of such a task are added to this. */
export function judgeOfTask({ model, cols, ...rule }: JudgeTask): JudgeSums<Params> {
  return new JudgeSums(cols, { ...rule, model: modelOf(model) })
}

/** What was found of some rows. */
interface JudgePart {
  readonly counts: { readonly flagged: number; readonly weight: number; readonly squares: number }
  readonly bins: Float64Array
  readonly labels: Float64Array
  readonly explained: ExplainedSums
  readonly worst: readonly BadRow[]
  readonly telling: TellingPart | undefined
}

/** Gathers what a fit says of rows, block by block. */
export class JudgeSums<P extends Params> {
  private readonly cols: number
  private readonly judging: Judging<P>
  private readonly sums: ExplainedRows
  private readonly hasLabels: boolean
  private readonly labels: Float64Array
  private readonly telling: TellingRows | undefined
  private readonly worst: Worst
  /** Rows by P(good) in hundredths: those below k / 100 are the ones of all bins before. */
  private readonly bins = new Float64Array(102)
  private flagged = 0
  private weight = 0
  private squares = 0

  constructor(cols: number, judging: Judging<P>) {
    const { model, supervised, worst } = judging
    this.cols = cols
    this.judging = judging
    this.sums = new ExplainedRows(model.name, supervised ? model.classes : 0)
    this.hasLabels = supervised && model.name !== 'linear' && model.name !== 'poisson'
    this.labels = new Float64Array(this.hasLabels ? model.classes ** 2 : 0)
    this.telling = this.hasLabels ? new TellingRows(cols, model.classes) : undefined
    this.worst = new Worst(worst ?? MOST_ROWS, worst === undefined ? flagBelow : DOUBTFUL)
  }

  add(data: Supervised, first: number): void {
    const { sums, hasLabels, labels, telling, worst, bins } = this
    const { model, params, clean: rule, fitted, supervised } = this.judging
    // Of a linear model: what its losses are made of is what its predictions leave.
    const scale = model.name === 'linear' ? (params as unknown as LinearRegressionParams).scale : 0
    const { predicted, suggested } = supervised ? predictions(fitted, data.x) : {}
    const losses = new Float64Array(data.x.rows)
    let residuals: Float64Array | undefined
    if (scale > 0) {
      const own = ofSameLine(rule, params) ? (rule.params as unknown as LinearRegressionParams).scale : 0
      if (own > 0) residuals = new Float64Array(losses.length)
      for (let i = 0; i < losses.length; i++) {
        const off = data.y[i]! - predicted![i]!
        losses[i] = 0.5 * (off / scale) ** 2
        if (residuals !== undefined) residuals[i] = off / own
      }
    } else model.likelihood.losses(data, params, losses)
    const clean = weigh(model, data, rule, residuals)
    if (supervised) sums.add(clean, data.y, predicted!, losses)
    let [flagged, weight, squares] = [0, 0, 0]
    for (let i = 0; i < clean.length; i++) {
      const c = clean[i]!
      weight += c
      squares += c * c
      bins[hundredth(c)]!++
      if (c < flagBelow) flagged++
      if (c < worst.below) worst.look(data, i, first + i, c, losses[i]!)
    }
    if (hasLabels)
      for (let i = 0; i < clean.length; i++) {
        labels[data.y[i]! * model.classes + suggested![i]!]!++
        if (clean[i]! >= flagBelow) telling!.look(data, i, suggested![i] !== data.y[i])
      }
    this.flagged += flagged
    this.weight += weight
    this.squares += squares
  }

  part(): JudgePart {
    const { flagged, weight, squares, bins, labels, sums, worst, telling } = this
    return {
      counts: { flagged, weight, squares },
      bins,
      labels,
      explained: sums.finish(),
      worst: worst.finish(),
      telling: telling?.part(),
    }
  }

  /** Of rows behind those that are known. */
  merge({ counts, bins, labels, explained, worst, telling }: JudgePart): void {
    this.flagged += counts.flagged
    this.weight += counts.weight
    this.squares += counts.squares
    for (let k = 0; k < bins.length; k++) this.bins[k]! += bins[k]!
    for (let k = 0; k < labels.length; k++) this.labels[k]! += labels[k]!
    this.sums.merge(explained)
    for (const row of worst) this.worst.keep(row)
    if (telling !== undefined) this.telling?.merge(telling)
  }

  finish(): JudgedRows {
    const { cols, hasLabels, labels, telling, bins, flagged, weight, squares, sums } = this
    const { model, supervised } = this.judging
    const rows = this.worst.finish()
    const x = matrix(rows.length, cols)
    rows.forEach((row, i) => {
      x.values.set(row.x, i * cols)
    })
    let before = 0
    return {
      flagged,
      effectiveRows: (weight * weight) / squares,
      explained: supervised ? explainedBy(model.name, model.intercept, sums.finish()) : undefined,
      worst: {
        places: Float64Array.from(rows, ({ place }) => place),
        x,
        y: Float64Array.from(rows, ({ y }) => y),
      },
      below: Float64Array.from({ length: 101 }, (_, k) => {
        const rowsBefore = before
        before += bins[k]!
        return rowsBefore
      }),
      ...(hasLabels ? { labels } : {}),
      ...(telling === undefined ? {} : { telling: telling.rows }),
    }
  }
}

/** Whether weights go by what rows lie off the same line: no need of another product. */
function ofSameLine<P extends Params>(
  rule: RowWeights<P>,
  params: P,
): rule is Exclude<RowWeights<P>, { readonly by: 'all' }> {
  if (rule.by === 'all') return false
  const own = rule.params as unknown as LinearRegressionParams
  const line = params as unknown as LinearRegressionParams
  return own.coefficients === line.coefficients && own.intercept === line.intercept
}

/** The k for which a probability lies between k / 100 and (k + 1) / 100, by the same comparisons as of a threshold. */
function hundredth(p: number): number {
  let k = Math.min(100, Math.max(0, Math.floor(100 * p)))
  if (p < k / 100) k--
  else if (p >= (k + 1) / 100) k++
  return k
}
