import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { toOffsets } from '../laws/offsets.js'
import { normalCore, normalEvidence } from '../laws/select.js'
import { modelAverage } from '../shared/model-average.js'
import { cStepStarts } from './c-steps.js'
import { type BroadMixture, fitBroadMixture, mlFit, unbiasedScale } from './em.js'
import { unlessStretched } from './majority-cloud.js'
import { scalePath } from './scale-path.js'
import { hasTies } from './ties.js'

/** By so much must a single start's model explain the rows better to be preferred to the average of all. */
const DECISIVE = 3
/** An average may explain the rows by so much less than the best of its models. */
const CONFLICT = 3
/** Above so many rows bins tell good models from bad ones as well. */
const MANY = 256
/** Mean change of P(good) at which models on the path stand still: as answers, and as starts for more rows. */
const FINE = 1e-4
export const ROUGH = 1e-3
const FROM_AVERAGE = { maxIterations: 50, tolerance: 1e-3 }

/** The model that the rows support best, over all scales and from all starts. */
export function searchContinuous<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  seed: number,
  tolerance: number = FINE,
): BroadMixture<P> {
  const paths: BroadMixture<P>[][] = []
  // Through rows of one value passes a model that says nothing.
  const exact = !hasTies(likelihood, data)
  for (const start of [mlFit(likelihood, data), ...cStepStarts(likelihood, data, seed, exact)]) {
    if (start.problem !== undefined) return exactModel(start)
    const path = scalePath(likelihood, data, start, tolerance)
    const last = path[path.length - 1].params
    if (last.problem !== undefined && (exact || path.length === 1)) return exactModel(last)
    paths.push(path.filter(({ params }) => params.problem === undefined))
  }
  let found = averageModel(likelihood, data, paths.flat())
  let score = shellScore(likelihood, data, found.params) + DECISIVE
  // Bad rows in one far cluster look to the broad reference like one wide cloud together with the good ones.
  for (const path of paths.slice(1)) {
    const model = averageModel(likelihood, data, path)
    const value = shellScore(likelihood, data, model.params)
    if (value > score) [found, score] = [model, value]
  }
  return unlessStretched(likelihood, data, found)
}

/** A model that passes through the rows: there is no mixture to fit. */
function exactModel<P>(params: P): BroadMixture<P> {
  return { params, weights: new Float64Array(0), width: 1, value: 0, converged: false, trace: [] }
}

/** One model from many: the fit to the rows by their averaged weights, unless they speak of different models. */
function averageModel<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  models: readonly BroadMixture<P>[],
): BroadMixture<P> {
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  const { weights } = modelAverage(models)
  const good = weights.reduce((sum, w) => sum + w, 0)
  const params = unbiasedScale(likelihood, data, likelihood.fit(data, weights, best.params), good)
  // An average between models that contradict each other leads to a lesser one, or to none.
  const enough = best.value - CONFLICT
  const led = fitBroadMixture(likelihood, data, { params, width: best.width }, { ...FROM_AVERAGE, enough })
  if (led.value < enough) return { ...best, converged: true }
  return { ...best, params, weights, converged: true }
}

/** How well a model explains all rows, good ones and shells of bad ones. */
function shellScore<D, P extends Params>(likelihood: Continuous<D, P>, data: D, params: P): number {
  const n = likelihood.rows(data)
  const squared = new Float64Array(n)
  likelihood.squaredDistances(data, params, squared)
  const degreesOfFreedom = likelihood.degreesOfFreedom(data)
  const about = { dimension: likelihood.dimension(data), signed: false, degreesOfFreedom }
  return (
    normalEvidence(toOffsets(squared.map(Math.sqrt), about, normalCore(about.dimension), MANY)) -
    (n - degreesOfFreedom) * likelihood.logScale(data, params)
  )
}
