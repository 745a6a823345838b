import { rightLabelProbability } from '../../../inference/label-noise.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import type { Fit } from '../../../result.js'
import { assembled, withHabits } from './assemble.js'
import { manyFeatures } from './cautions.js'
import { type Classed, type Labelled, parametersOf } from './labelled.js'
import { outOfFold } from './out-of-fold.js'
import { fitToClasses } from './through-noise.js'

const LEAST_CROSS_FITTED = 8

/** So many parameters that their matrices would take minutes: level and P(good) by cross-fitting, no standard errors. */
export function fitCrossFitted<D, P extends Params>(likelihood: Labelled<D, P>, data: D): Fit<P> {
  const n = likelihood.rows(data)
  const size = parametersOf(likelihood, data)
  const found = outOfFold(likelihood.prior, likelihood, data, size / n)
  // With so few rows even predictions of unseen rows are wrong in shape, and no interval would be honest.
  const interval = n < LEAST_CROSS_FITTED * size ? undefined : found.interval
  if (found.habits !== undefined) {
    const { T, posterior } = found.habits
    const classed = found.likelihood as Classed<D, P>
    const params = fitToClasses(classed, data, posterior, T, found.start)
    const cautions = manyFeatures(n, size, interval === undefined ? 'cannot be told' : undefined)
    const level = { level: found.level, interval }
    return withHabits(classed, data, { params, posterior }, T, level, cautions, 'without')
  }
  const none = found.level < 0.5 / n
  const params = none
    ? likelihood.fit(data, undefined, found.start)
    : found.likelihood.fit(data, found.weights, found.start)
  const model = { params, weights: found.weights, level: found.level, value: 0, converged: true, trace: [] }
  const level = none ? 0 : found.level
  const result = assembled(
    likelihood,
    data,
    { ...model, ranked: found.weights },
    { level, interval },
    manyFeatures(n, size, interval === undefined ? 'cannot be told' : undefined),
    'without',
  )
  // The largest level that is reported as 0 ranks the rows.
  const odds = 0.5 / (n - 0.5) / likelihood.labels
  const judged = none ? found.losses.map((loss) => 1 / (1 + odds * Math.exp(loss))) : found.weights
  return { ...result, clean: judged.map((p, i) => rightLabelProbability(p, found.losses[i])) }
}
