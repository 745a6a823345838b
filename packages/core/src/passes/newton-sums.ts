import { gram, linearPredictor } from '../kernels/gram.js'
import type { Classes } from '../likelihoods/capabilities.js'
import type { LinearParams, Params, Supervised } from '../likelihoods/likelihood.js'
import { type Matrix, matrix, rowVector } from '../matrix.js'
import { addTo, sumOf } from './add-to.js'
import type { NewtonAsked, NewtonSums } from './aggregates.js'
import type { PassModel } from './models.js'
import type { PassSum } from './pass-sum.js'
import { weighed } from './weigh.js'

/** The weighted loss of labels or counts, its gradient and its curvature. */
export class NewtonPass<P extends Params> implements PassSum<NewtonSums> {
  private readonly model: PassModel<P>
  private readonly ask: NewtonAsked<P>
  private readonly centre: Float64Array
  private readonly wide: number
  private readonly wantsDesign: boolean
  private weight = 0
  private value = 0
  private readonly responses: Float64Array
  private readonly gradient: Float64Array
  private readonly curvature: Matrix
  private readonly design: Matrix

  constructor(model: PassModel<P>, ask: NewtonAsked<P>, centre: Float64Array) {
    this.model = model
    this.ask = ask
    this.centre = model.intercept ? centre : new Float64Array(centre.length)
    this.wide = centre.length + (model.intercept ? 1 : 0)
    this.wantsDesign = ask.design ?? false
    const size = (model.classes - 1) * this.wide
    this.responses = new Float64Array(model.name === 'poisson' ? 1 : model.classes)
    this.gradient = new Float64Array(size)
    this.curvature = matrix(size, size)
    this.design = matrix(this.wide, this.wide)
  }

  add(data: Supervised): void {
    const { model, ask, centre } = this
    const { x, y } = data
    const w = weighed(model, data, ask.weights, ask.squared)
    this.weight += sumOf(w)
    for (let i = 0; i < w.length; i++) {
      if (model.name === 'poisson') this.responses[0] += w[i] * y[i]
      else this.responses[y[i]] += w[i]
    }
    if (this.wantsDesign) this.addProducts(x, centre, w, w, 0, 0, this.design, undefined)
    if (model.name === 'poisson') this.addCounts(data, w, ask.params as LinearParams & P, centre)
    else this.addLabels(data, w, ask.params, centre)
  }

  private addCounts({ x, y }: Supervised, w: Float64Array, params: LinearParams, centre: Float64Array): void {
    const v = rowVector(x.rows)
    linearPredictor(x, params.intercept, params.coefficients, v)
    const s = rowVector(x.rows)
    const { dispersion = 0 } = this.model
    for (let i = 0; i < v.length; i++) {
      const eta = v[i]
      const rate = Math.exp(eta)
      if (dispersion === 0) {
        this.value += w[i] * (rate - y[i] * eta)
        s[i] = w[i] * (y[i] - rate)
        v[i] = w[i] * rate
        continue
      }
      const spread = 1 + dispersion * rate
      this.value += w[i] * ((y[i] + 1 / dispersion) * Math.log1p(dispersion * rate) - y[i] * eta)
      s[i] = (w[i] * (y[i] - rate)) / spread
      v[i] = (w[i] * (rate / spread) * (1 + dispersion * y[i])) / spread
    }
    this.addProducts(x, centre, v, s, 0, 0, this.curvature, this.gradient)
  }

  private addLabels(data: Supervised, w: Float64Array, params: P, centre: Float64Array): void {
    const { likelihood, classes } = this.model
    const { x, y } = data
    const losses = rowVector(x.rows)
    likelihood.losses(data, params, losses)
    for (let i = 0; i < w.length; i++) this.value += w[i] === 0 ? 0 : w[i] * losses[i]
    const labels = (likelihood as unknown as { classes: Classes<Supervised, P> }).classes
    const p = labels.probabilities(data, params).values
    const v = rowVector(x.rows)
    const s = rowVector(x.rows)
    for (let k = 1; k < classes; k++) {
      for (let i = 0; i < s.length; i++) s[i] = w[i] * ((y[i] === k ? 1 : 0) - p[i * classes + k])
      for (let m = 1; m <= k; m++) {
        for (let i = 0; i < v.length; i++) {
          const own = p[i * classes + k]
          v[i] = w[i] * own * (k === m ? 1 - own : -p[i * classes + m])
        }
        this.addProducts(x, centre, v, s, k - 1, m - 1, this.curvature, k === m ? this.gradient : undefined)
      }
    }
  }

  /** sum v z z' into the block of two classes, and sum s z into that of the first. */
  private addProducts(
    x: Matrix,
    centre: Float64Array,
    v: Float64Array,
    s: Float64Array,
    k: number,
    m: number,
    squares: Matrix,
    sums: Float64Array | undefined,
  ): void {
    const { wide } = this
    const { cols } = x
    const first = wide - cols
    const G = new Float64Array(cols * cols)
    const g = new Float64Array(cols)
    const h = new Float64Array(cols)
    gram(x, centre, v, s, G, g, h)
    const [row, col] = [k * wide, m * wide]
    const add = (j: number, q: number, value: number): void => {
      squares.values[(row + j) * squares.cols + col + q] += value
      // Blocks off the diagonal are symmetric in the columns; of those on it the lower triangle counts.
      if (k !== m && j !== q) squares.values[(row + q) * squares.cols + col + j] += value
    }
    if (first === 1) {
      add(0, 0, sumOf(v))
      for (let j = 0; j < cols; j++) add(j + 1, 0, h[j])
      if (sums !== undefined) sums[row] += sumOf(s)
    }
    for (let j = 0; j < cols; j++) {
      for (let q = 0; q <= j; q++) add(first + j, first + q, G[j * cols + q])
      if (sums !== undefined) sums[row + first + j] += g[j]
    }
  }

  merge({ weight, responses, value, gradient, curvature, design }: NewtonSums): void {
    this.weight += weight
    this.value += value
    addTo(this.responses, responses)
    addTo(this.gradient, gradient)
    addTo(this.curvature.values, curvature.values)
    if (design !== undefined) addTo(this.design.values, design.values)
  }

  finish(): NewtonSums {
    const { weight, responses, value, gradient, curvature, design } = this
    return { weight, responses, value, gradient, curvature, ...(this.wantsDesign ? { design } : {}) }
  }
}
