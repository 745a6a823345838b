import type { Params } from '../../../likelihoods/likelihood.js'
import type { Fit } from '../../../result.js'
import type { FitOptions } from '../../shared/options.js'
import { fitReferenceMixture, type ReferenceMixture } from '../em.js'
import { withLevel } from '../with-level.js'
import { assembled, withHabits } from './assemble.js'
import { CLEARLY, LITTLE_SIGNAL } from './cautions.js'
import { bestNear, type Explanation, NO_SIGNAL } from './evidence.js'
import { union } from './folds.js'
import type { Habits } from './habits.js'
import { type Classed, type Labelled, parametersOf } from './labelled.js'
import type { Level } from './level.js'
import { fitManyByHabits } from './many-habits.js'
import { vanishes } from './vanishing-class.js'

/** Many rows: their own likelihood says the level, from the start that a sample of them gives. */
export function fitMany<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  none: ReferenceMixture<P>,
  explanations: readonly Explanation<P>[],
  habits: Habits<P> | undefined,
  found: Level,
  options: FitOptions,
): Fit<P> {
  const { params } = bestNear(explanations, found.level)
  const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
  const models = [params, none.params].map((start) => fitReferenceMixture(likelihood, data, start, final))
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  if (!tells(likelihood, data, best))
    return assembled(likelihood, data, { ...none, ranked: none.weights }, { level: 0, interval: [0, 1] }, [
      LITTLE_SIGNAL,
    ])
  const classed = likelihood as Classed<D, P> & typeof likelihood
  const many = habits && fitManyByHabits(classed, data, habits, best)
  const possible = many !== undefined && !vanishes(classed, data, many.posterior) ? many : undefined
  if (possible?.clear) return withHabits(classed, data, possible, possible.T, possible, [])
  const { interval, ...levelled } = withLevel(likelihood, data, best, none)
  const level = {
    level: levelled.level,
    interval: union(possible === undefined ? [interval] : [interval, possible.interval]),
  }
  return assembled(likelihood, data, { ...levelled, ranked: levelled.weights }, level)
}

/** Whether a model of many rows explains the labels clearly better than their frequencies do, its parameters paid for as by BIC. */
function tells<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  { value }: { readonly value: number },
): boolean {
  const silent = likelihood.prior.strengthened(data, NO_SIGNAL, 'replaced')
  const losses = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, silent.fit(data), losses)
  const frequencies = -losses.reduce((sum, loss) => sum + loss, 0)
  return value > frequencies + CLEARLY + 0.5 * parametersOf(likelihood, data) * Math.log(losses.length)
}
