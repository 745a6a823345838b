import { type LinearRegressionParams, type Matrix, matrix, type Params, type Supervised } from 'rlvi'
import { type Blocks, type PassModel, type RowWeights, weigh } from 'rlvi/passes'
import type { Explained } from '../fit/explained.js'
import { flagBelow } from '../fit/flag-below.js'
import type { Fitted } from '../model/saved-model.js'
import { predictions } from '../predict/predictions.js'
import { TellingRows } from './telling-rows.js'
import { Worst } from './worst.js'

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

export async function judgeBlocks<P extends Params>(
  blocks: Blocks<Supervised>,
  { model, params, clean: rule, fitted, supervised, worst: most }: Judging<P>,
): Promise<JudgedRows> {
  const sums = new ExplainedRows(model.name, supervised ? model.classes : 0)
  const hasLabels = supervised && model.name !== 'linear' && model.name !== 'poisson'
  const labels = new Float64Array(hasLabels ? model.classes ** 2 : 0)
  const telling = hasLabels ? new TellingRows(blocks.cols, model.classes) : undefined
  const worst = new Worst(most ?? MOST_ROWS, most === undefined ? flagBelow : DOUBTFUL)
  // Rows by P(good) in hundredths: those below k / 100 are the ones of all bins before.
  const bins = new Float64Array(102)
  let [flagged, weight, squares] = [0, 0, 0]
  // Of a linear model: what its losses are made of is what its predictions leave.
  const scale = model.name === 'linear' ? (params as unknown as LinearRegressionParams).scale : 0
  await blocks.each((data, first) => {
    const { predicted, suggested } = supervised ? predictions(fitted, data.x) : {}
    const off = scale > 0 ? data.y.map((y, i) => y - predicted![i]!) : undefined
    const clean = weigh(model, data, rule, off && residualsFor(rule, params, off))
    const losses = new Float64Array(clean.length)
    if (off === undefined) model.likelihood.losses(data, params, losses)
    else for (let i = 0; i < losses.length; i++) losses[i] = 0.5 * (off[i]! / scale) ** 2
    for (let i = 0; i < clean.length; i++) {
      const c = clean[i]!
      weight += c
      squares += c * c
      bins[hundredth(c)]!++
      if (supervised) sums.add(c, data.y[i]!, predicted![i]!, losses[i]!)
      if (hasLabels) labels[data.y[i]! * model.classes + suggested![i]!]!++
      if (c >= flagBelow) telling?.look(data, i, suggested![i] !== data.y[i])
      else flagged++
      worst.look(data, i, first + i, c, losses[i]!)
    }
  })
  const rows = worst.finish()
  const x = matrix(rows.length, blocks.cols)
  rows.forEach((row, i) => {
    x.values.set(row.x, i * blocks.cols)
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

/** What rows lie off, in units of the scale that weights go by, where these are of the same line: no need of another product. */
function residualsFor<P extends Params>(
  rule: RowWeights<P>,
  params: P,
  off: Float64Array,
): Float64Array | undefined {
  if (rule.by === 'all') return undefined
  const { scale, ...own } = rule.params as unknown as LinearRegressionParams
  const line = params as unknown as LinearRegressionParams
  if (own.coefficients !== line.coefficients || own.intercept !== line.intercept) return undefined
  return off.map((value) => value / scale)
}

/** The k for which a probability lies between k / 100 and (k + 1) / 100, by the same comparisons as of a threshold. */
function hundredth(p: number): number {
  let k = Math.min(100, Math.max(0, Math.floor(100 * p)))
  if (p < k / 100) k--
  else if (p >= (k + 1) / 100) k++
  return k
}

/** What `explained` is made of, as weighted sums over rows. */
export interface ExplainedSums {
  readonly weight: number
  /** Squared residuals, halved deviances of counts, or losses. */
  readonly left: number
  readonly responses: number
  /** Of a linear model. */
  readonly squares: number
  /** Of counts: y log y. */
  readonly logs: number
  /** Of labels: the weight of each. */
  readonly labels: ArrayLike<number>
}

class ExplainedRows {
  private readonly name: Fitted['model']
  private readonly labels: Float64Array
  private weight = 0
  private left = 0
  private responses = 0
  private squares = 0
  private logs = 0

  constructor(name: Fitted['model'], classes: number) {
    this.name = name
    this.labels = new Float64Array(classes)
  }

  add(weight: number, y: number, predicted: number, loss: number): void {
    if (weight <= 0) return
    this.weight += weight
    if (this.name === 'linear') {
      this.left += weight * (y - predicted) ** 2
      this.responses += weight * y
      this.squares += weight * y * y
    } else if (this.name === 'poisson') {
      this.left += weight * ((y === 0 ? 0 : y * Math.log(y / predicted)) - (y - predicted))
      this.responses += weight * y
      if (y > 0) this.logs += weight * y * Math.log(y)
    } else {
      this.left += weight * loss
      this.labels[y]! += weight
    }
  }

  finish(): ExplainedSums {
    const { weight, left, responses, squares, logs, labels } = this
    return { weight, left, responses, squares, logs, labels }
  }
}

/** How much a model explains, by sums over the rows. */
export function explainedBy(
  name: Fitted['model'],
  intercept: boolean,
  { weight, left, responses, squares, logs, labels }: ExplainedSums,
): Explained | undefined {
  if (name === 'linear')
    return share('R²', left, squares - (intercept ? (responses * responses) / weight : 0))
  if (name === 'poisson') {
    const rate = intercept ? responses / weight : 1
    return share('deviance', left, logs - responses * Math.log(rate) - (responses - weight * rate))
  }
  const without = Array.from(labels).reduce((all, own) => {
    const part = intercept ? own / weight : 1 / labels.length
    return own > 0 ? all - own * Math.log(part) : all
  }, 0)
  return share('deviance', left, without)
}

function share(measure: Explained['measure'], left: number, without: number): Explained | undefined {
  const found = 1 - left / without
  return Number.isFinite(found) ? { measure, share: found } : undefined
}
