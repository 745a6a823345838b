import { rightLabelProbability, wrongLabelShare } from '../../../inference/label-noise.js'
import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { Caution, Corruption, Fit } from '../../../result.js'
import { standardErrorsOf } from '../../shared/standard-errors.js'
import { toFit } from '../../shared/to-fit.js'
import type { ReferenceMixture } from '../em.js'
import { withLevelCaution } from './cautions.js'
import type { JudgedClasses } from './judge.js'
import type { Classed } from './labelled.js'
import type { Level } from './level.js'

/** A level with its interval, where one is known. */
export type FoundLevel = Pick<Level, 'level'> & { readonly interval: Level['interval'] | undefined }

/** In terms of wrong labels. */
function corruptionOf(level: number, interval: FoundLevel['interval'], labels: number): Corruption {
  return {
    level: wrongLabelShare(level, labels),
    interval: interval && [wrongLabelShare(interval[0], labels), wrongLabelShare(interval[1], labels)],
    source: 'inferred',
  }
}

/** The result, in terms of wrong labels. `ranked`: P(not random) by which rows are ranked. */
export function assembled<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  model: ReferenceMixture<P> & { readonly ranked: Float64Array },
  { level, interval }: FoundLevel,
  cautions: readonly Caution[] = [],
  standardErrors: 'with' | 'without' = 'with',
): Fit<P> {
  const result = toFit(likelihood, data, model.params, model)
  const corruption = corruptionOf(level, interval, likelihood.labels!)
  return {
    ...result,
    clean: model.ranked.map((p, i) => rightLabelProbability(p, result.losses[i])),
    corruption,
    ...withLevelCaution(corruption, cautions),
    ...(standardErrors === 'with' ? standardErrorsOf(likelihood, data, model.params, model.weights) : {}),
  }
}

/** The result where labels have habits. */
export function withHabits<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  { params, posterior }: JudgedClasses<P>,
  habits: Matrix,
  { level, interval }: FoundLevel,
  cautions: readonly Caution[],
  standardErrors: 'with' | 'without' = 'with',
): Fit<P> {
  const given = likelihood.classes.given(data)
  const clean = given.map((label, i) => posterior.values[i * habits.cols + label])
  const throughPosterior: Discrete<D, P> = {
    ...likelihood,
    information: (rows, at) => likelihood.classes.information(rows, at, posterior),
  }
  const corruption = { ...corruptionOf(level, interval, habits.cols), habits }
  return {
    ...toFit(likelihood, data, params, { converged: true, weights: clean, trace: [] }),
    corruption,
    ...withLevelCaution(corruption, cautions),
    ...(standardErrors === 'with' ? standardErrorsOf(throughPosterior, data, params, clean) : {}),
  }
}
