import { exponentials } from '../kernels/estep.js'
import type { Continuous } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { goodUnder, offsetsOf, withLaw } from '../mixture/laws/good-rows.js'
import { rowInformation } from '../mixture/laws/law-errors.js'
import type { RowWeights } from './aggregates.js'
import type { PassModel } from './models.js'

/** The weights of the rows of a block. */
export function weigh<P extends Params>(
  { likelihood }: PassModel<P>,
  data: Supervised,
  weights: RowWeights<P>,
): Float64Array {
  const out = rowVector(data.x.rows)
  if (weights.by === 'all') return out.fill(1)
  if (weights.by === 'losses') {
    const { least, bend, height } = weights
    likelihood.losses(data, weights.params, out)
    const growth = rowVector(out.length)
    exponentials(out, 1, least, growth)
    for (let i = 0; i < out.length; i++) out[i] = height / (bend + growth[i])
    return out
  }
  // Only models of a mean and a scatter have laws.
  const values = offsetsOf(likelihood as Continuous<Supervised, P>, data, weights.params)
  const clean = goodUnder(weights.law, values)
  switch (weights.use) {
    case 'clean':
      return clean
    case 'fit':
      return withLaw(weights.law, values, clean)
    case 'information':
      return rowInformation(weights.law, values, clean)
  }
}
