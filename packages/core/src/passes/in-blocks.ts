import { phrase, RlviError } from '../errors.js'
import { gram, linearPredictor } from '../kernels/gram.js'
import { type Classes, type Continuous, isInformative } from '../likelihoods/capabilities.js'
import type { LinearParams, Params, Supervised } from '../likelihoods/likelihood.js'
import type { LinearRegressionParams } from '../likelihoods/linear.js'
import { type Matrix, matrix, rowVector } from '../matrix.js'
import { BinsBuilder } from '../mixture/laws/bins.js'
import { offsetsOf } from '../mixture/laws/row-offsets.js'
import type { Aggregates, CountAggregates, Moments, NewtonSums, RowWeights } from './aggregates.js'
import type { Blocks } from './blocks.js'
import { LossBinsBuilder } from './loss-bins.js'
import { type PassModel, withDispersion } from './models.js'
import { ShellBinsBuilder } from './shell-bins.js'
import { inScales, weigh } from './weigh.js'

/** The sums over rows that come in blocks, from memory or from a file. */
export function inBlocks<P extends Params>(model: PassModel<P>, blocks: Blocks<Supervised>): Aggregates<P> {
  const { likelihood } = model
  /** One scan, of all rows or none. */
  const scan = async (use: (data: Supervised) => void): Promise<void> => {
    let rows = 0
    await blocks.each((data) => {
      rows += data.x.rows
      use(data)
    })
    checkAll(blocks.rows, rows)
  }
  const weighed = (
    data: Supervised,
    weights: RowWeights<P>,
    squared: boolean | undefined,
    residuals?: Float64Array,
  ): Float64Array => {
    const w = weigh(model, data, weights, residuals)
    if (squared) for (let i = 0; i < w.length; i++) w[i] *= w[i]
    return w
  }
  return {
    rows: blocks.rows,
    cols: blocks.cols,
    centre: blocks.centre,

    async losses(params) {
      const bins = new LossBinsBuilder()
      await scan((data) => {
        const losses = rowVector(data.x.rows)
        likelihood.losses(data, params, losses)
        bins.add(losses)
      })
      return bins.finish()
    },

    async moments({ weights, params, squared }) {
      const sums = new MomentSums(blocks.cols, model.name === 'linear')
      // Weights by the residuals that are asked for need no product of their own.
      const same = model.name === 'linear' && weights.by !== 'all' && weights.params === params
      await scan((data) => {
        const known = same
          ? offsetsOf(likelihood as Continuous<Supervised, P>, data, weights.params)
          : undefined
        const w = weighed(data, weights, squared, known)
        sums.add(data, w, params as LinearRegressionParams | undefined, blocks.centre, known)
      })
      return sums.finish()
    },

    async newton({ weights, params, design, squared }) {
      const centre = model.intercept ? blocks.centre : new Float64Array(blocks.cols)
      const sums = new Newton(model, blocks.cols, design ?? false)
      await scan((data) => sums.add(data, weighed(data, weights, squared), params, centre))
      return sums.finish()
    },

    async offsets({ params, unit, growth }) {
      const continuous = likelihood as Continuous<Supervised, P>
      let bins: BinsBuilder | undefined
      await scan((data) => {
        bins ??= new BinsBuilder(continuous.dimension(data), unit)
        bins.add(inScales(continuous, data, params, growth).values)
      })
      return bins!.finish()
    },

    async information(params, weights) {
      const { bare } = model
      if (!isInformative(bare))
        throw new RlviError('information', 'a model with standard errors is needed', model.name)
      let total: Matrix | undefined
      await scan((data) => {
        const own = bare.information(data, params, weigh(model, data, weights))
        if (total === undefined) total = own
        else for (let k = 0; k < own.values.length; k++) total.values[k] += own.values[k]
      })
      return total!
    },

    ...(model.name === 'poisson'
      ? { counted: (dispersion) => countedInBlocks(model, blocks, dispersion) }
      : {}),
  }
}

/** The rows under a law of counts. */
function countedInBlocks<P extends Params>(
  poisson: PassModel<P>,
  blocks: Blocks<Supervised>,
  dispersion: number,
): CountAggregates<P> {
  const model = withDispersion(poisson, dispersion)
  const sums = inBlocks(model, blocks)
  return {
    ...sums,
    model,
    async shells(ask) {
      const bins = new ShellBinsBuilder(model, ask)
      let rows = 0
      await blocks.each((data) => {
        rows += data.x.rows
        bins.add(data)
      })
      checkAll(blocks.rows, rows)
      return bins.finish()
    },
  }
}

function checkAll(wanted: number, rows: number): void {
  if (rows === wanted) return
  const todo = 'did the table change? try again'
  throw new RlviError('pass', `all ${wanted} rows are needed`, phrase(`${rows} rows`), todo)
}

/** Weighted sums of the columns, and of the residual behind them, and of their products. */
class MomentSums {
  private readonly cols: number
  private readonly regression: boolean
  private weight = 0
  private responses = 0
  private readonly sums: Float64Array
  private readonly squares: Matrix

  constructor(cols: number, regression: boolean) {
    this.cols = cols
    this.regression = regression
    const d = cols + (regression ? 1 : 0)
    this.sums = new Float64Array(d)
    this.squares = matrix(d, d)
  }

  /** @param known - residuals from the parameters, in units of their scale */
  add(
    { x, y }: Supervised,
    w: Float64Array,
    params: LinearRegressionParams | undefined,
    centre: Float64Array,
    known?: Float64Array,
  ): void {
    const { cols, sums, squares } = this
    const d = squares.cols
    const scores = this.regression ? rowVector(x.rows) : w
    if (this.regression) {
      if (known === undefined && params !== undefined)
        linearPredictor(x, params.intercept, params.coefficients, scores)
      const scale = params?.scale ?? 1
      for (let i = 0; i < w.length; i++) {
        const residual = known === undefined ? y[i] - scores[i] : scale * known[i]
        this.responses += w[i] * y[i] * y[i]
        scores[i] = w[i] * residual
        sums[cols] += scores[i]
        squares.values[d * d - 1] += scores[i] * residual
      }
    }
    const G = new Float64Array(cols * cols)
    const g = new Float64Array(cols)
    const h = new Float64Array(cols)
    gram(x, centre, w, scores, G, g, h)
    for (let j = 0; j < cols; j++) {
      sums[j] += h[j]
      for (let k = 0; k <= j; k++) squares.values[j * d + k] += G[j * cols + k]
      if (this.regression) squares.values[cols * d + j] += g[j]
    }
    this.weight += sum(w)
  }

  finish(): Moments {
    const { weight, sums, squares, responses } = this
    return { weight, sums, squares, responses }
  }
}

/** The weighted loss of labels or counts, its gradient and its curvature. */
class Newton<P extends Params> {
  private readonly model: PassModel<P>
  private readonly wide: number
  private readonly wantsDesign: boolean
  private weight = 0
  private value = 0
  private readonly responses: Float64Array
  private readonly gradient: Float64Array
  private readonly curvature: Matrix
  private readonly design: Matrix

  constructor(model: PassModel<P>, cols: number, design: boolean) {
    this.model = model
    this.wide = cols + (model.intercept ? 1 : 0)
    this.wantsDesign = design
    const size = (model.classes - 1) * this.wide
    this.responses = new Float64Array(model.name === 'poisson' ? 1 : model.classes)
    this.gradient = new Float64Array(size)
    this.curvature = matrix(size, size)
    this.design = matrix(this.wide, this.wide)
  }

  add(data: Supervised, w: Float64Array, params: P, centre: Float64Array): void {
    const { model } = this
    const { x, y } = data
    this.weight += sum(w)
    for (let i = 0; i < w.length; i++) {
      if (model.name === 'poisson') this.responses[0] += w[i] * y[i]
      else this.responses[y[i]] += w[i]
    }
    if (this.wantsDesign) this.addProducts(x, centre, w, w, 0, 0, this.design, undefined)
    if (model.name === 'poisson') this.addCounts(data, w, params as LinearParams & P, centre)
    else this.addLabels(data, w, params, centre)
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
      add(0, 0, sum(v))
      for (let j = 0; j < cols; j++) add(j + 1, 0, h[j])
      if (sums !== undefined) sums[row] += sum(s)
    }
    for (let j = 0; j < cols; j++) {
      for (let q = 0; q <= j; q++) add(first + j, first + q, G[j * cols + q])
      if (sums !== undefined) sums[row + first + j] += g[j]
    }
  }

  finish(): NewtonSums {
    const { weight, responses, value, gradient, curvature, design } = this
    return { weight, responses, value, gradient, curvature, ...(this.wantsDesign ? { design } : {}) }
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
