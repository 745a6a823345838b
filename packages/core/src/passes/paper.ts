import type { EStepStatus } from '../inference/exact.js'
import { paperRules } from '../inference/paper.js'
import type { Params } from '../likelihoods/likelihood.js'
import { limits, type PaperOptions } from '../methods/paper.js'
import {
  type Corruption,
  notFinite,
  relativeChange,
  type Status,
  statusOf,
  type TraceStep,
} from '../result.js'
import type { Aggregates, RowWeights } from './aggregates.js'
import {
  boundOf,
  constrained,
  exactStep,
  meanWeight,
  type PointsEStep,
  paperStep,
  scaledWeights,
} from './e-step.js'
import { type LossPoints, lossPoints } from './loss-points.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import type { PassesFit, PassesOptions } from './result.js'

/**
 * `paper` for rows that do not lie in memory: Algorithm 1 by sums over all rows, two passes an iteration, and the same numbers.
 * Of its options the E-step is the exact one or the paper's, whose weights are not normalised by themselves.
 */
export async function paperByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  options: PaperOptions<P> & PassesOptions = {},
): Promise<PassesFit<P>> {
  const { likelihood } = model
  const { tolerance, maxIterations } = limits(options)
  const trace: TraceStep[] = []
  const ml = await fitByPasses(model, rows, { by: 'all' })
  let params = options.start ?? ml
  let weights: RowWeights<P> = { by: 'all' }
  let mean = 1
  let eStatus: EStepStatus | undefined
  let status: Status = { kind: 'max-iterations', message: `still moving after ${maxIterations} iterations` }
  for (let k = 1; k <= maxIterations; k++) {
    const bins = await rows.losses(params)
    if (!Number.isFinite(bins.least) || !Number.isFinite(bins.most)) {
      status = notFinite
      break
    }
    if (params.problem?.reason === 'exact-fit') break
    const points = lossPoints(bins)
    const step = eStep(points, options)
    eStatus = step.status
    const currentBound = eStatus === 'collapse' ? 0 : boundOf(points, step)
    const level = eStatus === 'collapse' ? 1 : 1 - step.mean
    weights = scaledWeights(params, points, step)
    mean = meanWeight(points, weights)
    const next: P = await fitByPasses(model, rows, weights, params)
    const change = relativeChange(likelihood.vector(next), likelihood.vector(params))
    params = next
    trace.push({ bound: currentBound, level, change })
    options.onStep?.(trace.length, level)
    if (change <= tolerance) {
      status = { kind: 'converged' }
      break
    }
  }
  if (eStatus === 'collapse' && options.goodRows === undefined) {
    const message = 'no mean weight above 0 improves the bound: these losses hold no information on the level'
    status = { kind: 'degenerate', reason: 'collapse', message }
  }
  const last = trace.at(-1)
  const corruption: Corruption =
    eStatus === 'interior' || eStatus === 'saturate'
      ? { level: last?.level, interval: undefined, source: 'inferred' }
      : { level: Math.max(0, 1 - mean), interval: undefined, source: 'relative' }
  return {
    params,
    ml,
    clean: weights,
    corruption,
    status: statusOf(params, status),
    iterations: trace.length,
    trace,
  }
}

/** The step of an iteration; see `paper`. */
function eStep<P>(points: LossPoints, options: PaperOptions<P>): PointsEStep {
  const rule = options.eStep ?? paperRules.standard
  const free = rule === 'exact' ? exactStep(points) : paperStep(points, rule)
  if (options.goodRows === undefined) return free
  return constrained(points, free, options.goodRows)
}
