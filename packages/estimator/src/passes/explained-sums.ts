import type { Explained } from '../fit/explained.js'
import type { Fitted } from '../model/saved-model.js'

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

export class ExplainedRows {
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

  /** Some rows; those of weight 0 are none. */
  add(weights: Float64Array, y: Float64Array, predicted: Float64Array, losses: Float64Array): void {
    if (this.name === 'linear') this.addResiduals(weights, y, predicted)
    else if (this.name === 'poisson') this.addCounts(weights, y, predicted)
    else
      for (let i = 0; i < weights.length; i++) {
        if (weights[i]! <= 0) continue
        this.weight += weights[i]!
        this.left += weights[i]! * losses[i]!
        this.labels[y[i]!]! += weights[i]!
      }
  }

  private addResiduals(weights: Float64Array, y: Float64Array, predicted: Float64Array): void {
    let [weight, left, responses, squares] = [0, 0, 0, 0]
    for (let i = 0; i < weights.length; i++) {
      const [w, own] = [weights[i]!, y[i]!]
      if (w <= 0) continue
      const off = own - predicted[i]!
      weight += w
      left += w * off * off
      responses += w * own
      squares += w * own * own
    }
    this.weight += weight
    this.left += left
    this.responses += responses
    this.squares += squares
  }

  private addCounts(weights: Float64Array, y: Float64Array, predicted: Float64Array): void {
    for (let i = 0; i < weights.length; i++) {
      const [w, own, rate] = [weights[i]!, y[i]!, predicted[i]!]
      if (w <= 0) continue
      this.weight += w
      this.left += w * ((own === 0 ? 0 : own * Math.log(own / rate)) - (own - rate))
      this.responses += w * own
      if (own > 0) this.logs += w * own * Math.log(own)
    }
  }

  merge({ weight, left, responses, squares, logs, labels }: ExplainedSums): void {
    this.weight += weight
    this.left += left
    this.responses += responses
    this.squares += squares
    this.logs += logs
    for (let k = 0; k < labels.length; k++) this.labels[k]! += labels[k]!
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
