import { gram, linearPredictor } from '../kernels/gram.js'
import { scratch } from '../kernels/scratch.js'
import type { Continuous } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import type { LinearRegressionParams } from '../likelihoods/linear.js'
import { type Matrix, matrix } from '../matrix.js'
import { offsetsOf } from '../mixture/laws/row-offsets.js'
import { addTo, sumOf } from './add-to.js'
import type { Moments, MomentsAsked } from './aggregates.js'
import type { PassModel } from './models.js'
import type { PassSum } from './pass-sum.js'
import { weighed } from './weigh.js'

/** Weighted sums of the columns, and of the residual behind them, and of their products. */
export class MomentSums<P extends Params> implements PassSum<Moments> {
  private readonly model: PassModel<P>
  private readonly ask: MomentsAsked<P>
  private readonly centre: Float64Array
  private readonly regression: boolean
  private weight = 0
  private responses = 0
  private readonly sums: Float64Array
  private readonly squares: Matrix
  private readonly offsets = scratch()
  private readonly scores = scratch()

  constructor(model: PassModel<P>, ask: MomentsAsked<P>, centre: Float64Array) {
    this.model = model
    this.ask = ask
    this.centre = centre
    this.regression = model.name === 'linear'
    const d = centre.length + (this.regression ? 1 : 0)
    this.sums = new Float64Array(d)
    this.squares = matrix(d, d)
  }

  add(data: Supervised): void {
    const { model, ask, centre, regression, sums, squares } = this
    const { weights, squared } = ask
    const params = ask.params as LinearRegressionParams | undefined
    const { x, y } = data
    const cols = centre.length
    const d = squares.cols
    // Weights by the residuals that are asked for need no product of their own.
    const known =
      regression && weights.by !== 'all' && weights.params === ask.params
        ? offsetsOf(model.likelihood as Continuous<Supervised, P>, data, weights.params, this.offsets(x.rows))
        : undefined
    const w = weighed(model, data, weights, squared, known)
    const scores = regression ? this.scores(x.rows) : w
    if (regression) {
      if (known === undefined && params !== undefined)
        linearPredictor(x, params.intercept, params.coefficients, scores)
      else if (known === undefined) scores.fill(0)
      const scale = params?.scale ?? 1
      let [responses, sum, square] = [0, 0, 0]
      for (let i = 0; i < w.length; i++) {
        const residual = known === undefined ? y[i] - scores[i] : scale * known[i]
        const score = w[i] * residual
        responses += w[i] * y[i] * y[i]
        scores[i] = score
        sum += score
        square += score * residual
      }
      this.responses += responses
      sums[cols] += sum
      squares.values[d * d - 1] += square
    }
    const G = new Float64Array(cols * cols)
    const g = new Float64Array(cols)
    const h = new Float64Array(cols)
    gram(x, centre, w, scores, G, g, h)
    for (let j = 0; j < cols; j++) {
      sums[j] += h[j]
      for (let k = 0; k <= j; k++) squares.values[j * d + k] += G[j * cols + k]
      if (regression) squares.values[cols * d + j] += g[j]
    }
    this.weight += sumOf(w)
  }

  merge({ weight, sums, squares, responses }: Moments): void {
    this.weight += weight
    this.responses += responses
    addTo(this.sums, sums)
    addTo(this.squares.values, squares.values)
  }

  finish(): Moments {
    const { weight, sums, squares, responses } = this
    return { weight, sums, squares, responses }
  }
}
