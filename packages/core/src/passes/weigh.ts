import { rightLabelProbability } from '../inference/label-noise.js'
import { exponentials } from '../kernels/estep.js'
import { type Continuous, isRegression } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { type Growth, scalesAt } from '../mixture/laws/growth.js'
import { rowInformation } from '../mixture/laws/law-errors.js'
import { offsetsOf } from '../mixture/laws/row-offsets.js'
import { goodUnder, withLaw } from '../mixture/laws/settle.js'
import type { RowWeights } from './aggregates.js'
import type { PassModel } from './models.js'
import { goodCounts } from './shell-bins.js'

/**
 * The weights of the rows of a block. What they cost most is a product with all columns: `residuals`, of a linear model, are those
 * from the weights' parameters in units of their scale, where somebody knows them already.
 */
export function weigh<P extends Params>(
  model: PassModel<P>,
  data: Supervised,
  weights: RowWeights<P>,
  residuals?: Float64Array,
): Float64Array {
  const { likelihood } = model
  const out = rowVector(data.x.rows)
  if (weights.by === 'all') return out.fill(1)
  if (weights.by === 'losses') {
    const { least, bend, height, orRight } = weights
    const losses = rowVector(out.length)
    if (residuals === undefined) likelihood.losses(data, weights.params, losses)
    else for (let i = 0; i < losses.length; i++) losses[i] = 0.5 * residuals[i] * residuals[i]
    exponentials(losses, 1, least, out)
    // The best row has weight 1, and rounding no more.
    for (let i = 0; i < out.length; i++) out[i] = Math.min(1, height / (bend + out[i]))
    if (orRight) for (let i = 0; i < out.length; i++) out[i] = rightLabelProbability(out[i], losses[i])
    return out
  }
  if (weights.by === 'counts') return goodCounts(model, data, weights)
  // Only models of a mean and a scatter have laws.
  const { values, growth } = inScales(
    likelihood as Continuous<Supervised, P>,
    data,
    weights.params,
    weights.law.growth,
    residuals,
  )
  const law = growth === undefined ? weights.law : { ...weights.law, growth }
  const clean = goodUnder(law, values)
  switch (weights.use) {
    case 'clean':
      return clean
    case 'fit':
      return withLaw(law, values, clean)
    case 'information':
      return rowInformation(law, values, clean)
  }
}

/** The same, or their squares. */
export function weighed<P extends Params>(
  model: PassModel<P>,
  data: Supervised,
  weights: RowWeights<P>,
  squared: boolean | undefined,
  residuals?: Float64Array,
): Float64Array {
  const w = weigh(model, data, weights, residuals)
  if (squared) for (let i = 0; i < w.length; i++) w[i] *= w[i]
  return w
}

/** How far the rows of a block lie off a model, in units of their own scales, and what those are where they differ. */
export function inScales<P extends Params>(
  likelihood: Continuous<Supervised, P>,
  data: Supervised,
  params: P,
  growth: Growth | undefined,
  residuals?: Float64Array,
): { readonly values: Float64Array; readonly growth: Growth | undefined } {
  const offsets = residuals ?? offsetsOf(likelihood, data, params)
  if (growth === undefined || !isRegression(likelihood)) return { values: offsets, growth: undefined }
  const values = residuals === undefined ? offsets : offsets.slice()
  const predicted = rowVector(values.length)
  likelihood.predicted(data, params, predicted)
  const scales = scalesAt(growth, predicted)
  for (let i = 0; i < values.length; i++) values[i] /= scales[i]
  return { values, growth: { ...growth, scales } }
}
