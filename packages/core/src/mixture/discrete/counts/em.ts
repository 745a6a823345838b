import { linearPredictor } from '../../../kernels/gram.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import { rowVector } from '../../../matrix.js'
import type { TraceStep } from '../../../result.js'
import { type CoreShape, fitProportions, type Proportions } from './proportions.js'
import { type Shells, shellsOf } from './shells.js'

/** A law of good counts among bad ones of learned shells. */
export interface CountMixture extends Proportions {
  readonly law: CountLikelihood
  readonly params: LinearParams
  readonly losses: Float64Array
  readonly counted: Shells
  readonly core: CoreShape
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

/** Shells that move with the model could make EM cycle: after so many iterations they stand still. */
export const MOVING = 8
const MAX_ITERATIONS = 60
export const TOLERANCE = 1e-4
/** With fewer good rows than this there is no model. */
export const LEAST_GOOD = 0.02

/** EM from a start: the shares of good rows and shells, then the model by P(good), until the likelihood stands still. */
export function fitCountMixture(
  law: CountLikelihood,
  data: Supervised,
  start: LinearParams,
  core: CoreShape,
  maxIterations: number = MAX_ITERATIONS,
): CountMixture {
  const n = data.x.rows
  const eta = rowVector(n)
  const losses = rowVector(n)
  const trace: TraceStep[] = []
  let params = start
  let shells: Shells | undefined
  let proportions: Proportions | undefined
  let converged = false
  for (let k = 0; ; k++) {
    law.losses(data, params, losses)
    if (shells === undefined || k <= MOVING) {
      linearPredictor(data.x, params.intercept, params.coefficients, eta)
      shells = shellsOf(data.y, eta, law.dispersion)
    }
    const before: number = proportions?.value ?? Number.NEGATIVE_INFINITY
    proportions = fitProportions(losses, shells, { core, start: proportions })
    const { value, good, weights } = proportions
    trace.push({ bound: value, level: 1 - good, change: value - before })
    converged = Math.abs(value - before) < TOLERANCE && k > 0
    if (converged || k >= maxIterations || good < LEAST_GOOD)
      return { ...proportions, law, params, losses, counted: shells, core, converged, trace }
    params = law.fit(data, weights, params)
  }
}
