import { linearPredictor } from '../../../kernels/gram.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import { rowVector } from '../../../matrix.js'
import type { TraceStep } from '../../../result.js'
import { type Crowd, crowdLosses, learnedCrowd } from './crowd.js'
import { type CoreShape, fitProportions, type Proportions } from './proportions.js'
import { type Shells, shellsOf } from './shells.js'

/** A law of good counts among bad ones of learned shells. */
export interface CountMixture extends Proportions {
  readonly law: CountLikelihood
  readonly params: LinearParams
  readonly losses: Float64Array
  readonly counted: Shells
  readonly core: CoreShape
  /** Bad counts near the good ones, and the rows' losses under their law. */
  readonly near?: { readonly law: Crowd; readonly losses: Float64Array }
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

export interface MixtureOptions {
  readonly maxIterations?: number
  /** A crowd of bad counts near the good ones, as it begins. */
  readonly crowd?: Crowd | undefined
  /** A model that will not reach this value need not be fitted to its end. */
  readonly least?: number
}

/** Shells that move with the model could make EM cycle: after so many iterations they stand still. */
export const MOVING = 8
const MAX_ITERATIONS = 60
export const TOLERANCE = 1e-4
/** Steps of the EM of shares in each iteration with a crowd. */
const CROWD_STEPS = 10
/** After so many iterations it is judged whether so many more would reach what is wanted. */
const FIRST = 5
const AHEAD = 20
/** With fewer good rows than this there is no model. */
export const LEAST_GOOD = 0.02

/** EM from a start: the shares of good rows and shells, then the model by P(good), until the likelihood stands still. */
export function fitCountMixture(
  law: CountLikelihood,
  data: Supervised,
  start: LinearParams,
  core: CoreShape,
  { maxIterations = MAX_ITERATIONS, crowd, least }: MixtureOptions = {},
): CountMixture {
  const n = data.x.rows
  const eta = rowVector(n)
  const losses = rowVector(n)
  const trace: TraceStep[] = []
  let params = start
  let shells: Shells | undefined
  let proportions: Proportions | undefined
  let converged = false
  let near = crowd
  const maxSteps = crowd === undefined ? undefined : CROWD_STEPS
  for (let k = 0; ; k++) {
    law.losses(data, params, losses)
    if (shells === undefined || k <= MOVING) {
      linearPredictor(data.x, params.intercept, params.coefficients, eta)
      shells = shellsOf(data.y, eta, law.dispersion)
    }
    const before: number = proportions?.value ?? Number.NEGATIVE_INFINITY
    const apart = near === undefined ? undefined : crowdLosses(law, data, params, near)
    proportions = fitProportions(losses, shells, { core, start: proportions, crowd: apart, maxSteps })
    const { value, good, weights } = proportions
    trace.push({ bound: value, level: 1 - good, change: value - before })
    converged = Math.abs(value - before) < TOLERANCE && k > 0
    const hopeless = least !== undefined && k >= FIRST && value + AHEAD * (value - before) < least
    if (converged || hopeless || k >= maxIterations || good < LEAST_GOOD)
      return {
        ...proportions,
        law,
        params,
        losses,
        counted: shells,
        core,
        converged,
        trace,
        ...(near === undefined ? {} : { near: { law: near, losses: apart! } }),
      }
    params = law.fit(data, weights, params)
    if (near !== undefined) near = learnedCrowd(data, params, near, proportions.crowd!.weights)
  }
}
