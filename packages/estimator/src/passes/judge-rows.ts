import { type Matrix, matrix, type Params, type Supervised } from 'rlvi'
import { type Blocks, type PassModel, type RowWeights, weigh } from 'rlvi/passes'
import type { Explained } from '../fit/explained.js'
import { flagBelow } from '../fit/flag-below.js'
import type { Fitted } from '../model/saved-model.js'
import { predictions } from '../predict/predictions.js'

/** What a last pass over all rows says of a fit. */
export interface JudgedRows {
  readonly flagged: number
  readonly effectiveRows: number
  readonly explained: Explained | undefined
  /** The rows that the fit trusts least, worst first. */
  readonly worst: WorstRows
}

/** Some rows, by their place among the complete ones. */
export interface WorstRows {
  readonly places: Float64Array
  readonly x: Matrix
  readonly y: Float64Array
}

const MOST_ROWS = 8

interface Row {
  readonly place: number
  readonly clean: number
  readonly loss: number
  readonly x: Float64Array
  readonly y: number
}

export async function judgeBlocks<P extends Params>(
  model: PassModel<P>,
  blocks: Blocks<Supervised>,
  params: P,
  rule: RowWeights<P>,
  fitted: Fitted,
  supervised: boolean,
): Promise<JudgedRows> {
  const sums = new ExplainedRows(model.name, supervised ? model.classes : 0)
  let [flagged, weight, squares] = [0, 0, 0]
  let worst: Row[] = []
  await blocks.each((data, first) => {
    const clean = weigh(model, data, rule)
    const losses = new Float64Array(clean.length)
    model.likelihood.losses(data, params, losses)
    const { predicted } = supervised ? predictions(fitted, data.x) : {}
    for (let i = 0; i < clean.length; i++) {
      const c = clean[i]!
      weight += c
      squares += c * c
      if (supervised) sums.add(c, data.y[i]!, predicted![i]!, losses[i]!)
      if (c >= flagBelow) continue
      flagged++
      const last = worst.length === MOST_ROWS ? worst[MOST_ROWS - 1]! : undefined
      if (last !== undefined && !(c < last.clean || (c === last.clean && losses[i]! > last.loss))) continue
      const x = data.x.values.slice(i * data.x.cols, (i + 1) * data.x.cols)
      worst.push({ place: first + i, clean: c, loss: losses[i]!, x, y: data.y[i] ?? 0 })
      worst = worst
        .sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.place - b.place)
        .slice(0, MOST_ROWS)
    }
  })
  const x = matrix(worst.length, blocks.cols)
  worst.forEach((row, i) => {
    x.values.set(row.x, i * blocks.cols)
  })
  return {
    flagged,
    effectiveRows: (weight * weight) / squares,
    explained: supervised ? explainedBy(model.name, model.intercept, sums.finish()) : undefined,
    worst: {
      places: Float64Array.from(worst, ({ place }) => place),
      x,
      y: Float64Array.from(worst, ({ y }) => y),
    },
  }
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
