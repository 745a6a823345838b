import { wrongLabelShare } from '../inference/label-noise.js'
import type { Discrete, Informative } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { factor } from '../linalg/cholesky.js'
import { inverse, inverseQuadratic } from '../linalg/symmetric.js'
import type { Matrix } from '../matrix.js'
import { fitDiscrete } from '../mixture/discrete/discrete.js'
import { intervalOf } from '../mixture/discrete/level-interval.js'
import type { FitOptions } from '../mixture/shared/options.js'
import { type Caution, type Fit, statusOf, type TraceStep } from '../result.js'
import type { Aggregates, RowWeights } from './aggregates.js'
import { exactStep } from './e-step.js'
import { type LossPoints, lossPoints } from './loss-points.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import { newtonStepByPasses, toVector } from './newton.js'
import { ofSample } from './of-sample.js'
import type { PassesFit, PassesOptions } from './result.js'

/** Problems of the maximum-likelihood fit that no weights can cure. */
const FATAL = ['collinear', 'few-rows', 'one-class']
const MAX_ITERATIONS = 200
/** Gain in log-likelihood below which an iteration is the last. */
const TOLERANCE = 1e-5

/** A model among labels of which a share is random. */
interface Mixture<P> {
  readonly params: P
  readonly points: LossPoints
  /** Share of random labels. */
  readonly level: number
  readonly value: number
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

/** `fit` of labels that do not lie in memory: starts and habits from a sample, level and model from all rows. */
export async function labelsByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  sample: Supervised,
  options: FitOptions & PassesOptions,
): Promise<PassesFit<P>> {
  const ml = await fitByPasses(model, rows, { by: 'all' })
  const none = await at(model, rows, ml, 0)
  if (FATAL.includes(ml.problem?.reason ?? '')) return await assembled(model, rows, ml, none, [0, 1], [])
  const first = fitDiscrete(model.likelihood as Discrete<Supervised, P>, sample, options)
  let best = none
  // The better of two ways up: from the sample's model, and from that without random labels.
  for (const start of [first.params, ml]) {
    const found = await mixtureFrom(model, rows, start, options)
    if (found.value > best.value) best = found
  }
  // Less than half a row is none.
  if (best.level < 0.5 / rows.rows) best = { ...best, level: 0 }
  const interval = await levelInterval(model, rows, best, none)
  const cautions = [...ofSample(first.cautions, sample, rows)]
  if (first.corruption.habits !== undefined) {
    const message =
      'in a sample of the rows labels go wrong by habit, some for certain others; of all rows they were taken to be wrong at random, so that the share of wrong labels and the model are less certain than they look'
    cautions.push({ about: 'level', message })
  }
  return await assembled(model, rows, ml, best, interval, cautions)
}

/** The level, and the likelihood of the mixture, of given parameters. */
async function at<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  params: P,
  held?: number,
): Promise<Mixture<P>> {
  const points = lossPoints(await rows.losses(params))
  const reference = Math.log(model.classes)
  const shifted = { ...points, losses: points.losses.map((l) => l - reference) }
  const level = held ?? exactStep(shifted).level
  const { penalty } = (model.likelihood as Discrete<Supervised, P>).prior!
  let value = -penalty(params) + points.beyond * Math.log(Math.max(level / model.classes, Number.MIN_VALUE))
  points.losses.forEach((l, i) => {
    value += points.counts[i] * logMixture(l, level, model.classes)
  })
  return { params, points, level, value, converged: true, trace: [] }
}

/** log((1 - level) e^-l + level / K) */
function logMixture(l: number, level: number, labels: number): number {
  if (level === 0) return -l
  const ratio = Math.log(level / labels) + l
  return Math.log1p(-level) - l + Math.log1p(Math.exp(ratio) / (1 - level))
}

/** EM from a start, with one step of Newton's method as the fit of each iteration. */
async function mixtureFrom<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  start: P,
  options: PassesOptions,
): Promise<Mixture<P>> {
  const trace: TraceStep[] = []
  let state = await at(model, rows, start)
  for (let k = 1; k <= MAX_ITERATIONS; k++) {
    if (state.level >= 1) break
    const step = await newtonStepByPasses(model, rows, notRandom(model, state), state.params)
    let next = await at(model, rows, step(1))
    for (let length = 0.5; !(next.value >= state.value - TOLERANCE) && length > 1e-3; length /= 2)
      next = await at(model, rows, step(length))
    const gain = next.value - state.value
    trace.push({ bound: next.value, level: next.level, change: gain })
    options.onStep?.(k, wrongLabelShare(next.level, model.classes))
    if (gain > 0) state = next
    if (gain < TOLERANCE) return { ...state, trace }
  }
  return { ...state, converged: false, trace }
}

/** P(a row's label is not random). */
function notRandom<P extends Params>(
  { classes }: PassModel<P>,
  { params, level }: Pick<Mixture<P>, 'params' | 'level'>,
): RowWeights<P> {
  if (level === 0) return { by: 'all' }
  const bend = (classes * (1 - level)) / level
  return { by: 'losses', params, least: 0, bend, height: bend }
}

/** As `levelInterval` in mixture/discrete. */
async function levelInterval<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  best: Mixture<P>,
  none: Mixture<P>,
): Promise<readonly [number, number]> {
  const { params, points, level } = best
  const share = Math.max(level, 0.5 / rows.rows)
  const weights = notRandom(model, { params, level: share })
  let ofLevel = points.beyond / share ** 2
  points.losses.forEach((l, i) => {
    const ratio = model.classes * Math.exp(-l)
    ofLevel += points.counts[i] * ((1 - ratio) / ((1 - share) * ratio + share)) ** 2
  })
  // w (1 - w) is the share times the rest of it times what the interval asks for.
  const once = await rows.newton({ weights, params })
  const twice = await rows.newton({ weights, params, squared: true })
  const per = 1 / (share * (1 - share))
  const cross = toVector(
    model,
    once.gradient.map((value, j) => -per * (value - twice.gradient[j])),
    rows.centre,
  )
  const information = await informationOf(model, rows, params, notRandom(model, best))
  const left = Math.max(ofLevel - inverseQuadratic(information, cross), 0.02 * ofLevel)
  return intervalOf(level, 1 / Math.sqrt(left), best.value - none.value)
}

/** The information of all rows, and the ridge's. */
async function informationOf<P extends Params>(
  { ridge, intercept, classes, name }: PassModel<P>,
  rows: Aggregates<P>,
  params: P,
  weights: RowWeights<P>,
): Promise<Matrix> {
  const information = await rows.information(params, weights)
  const first = intercept ? (name === 'softmax' ? classes : 1) : 0
  for (let j = first; j < information.cols; j++) information.values[j * (information.cols + 1)] += ridge
  return information
}

async function assembled<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  ml: P,
  best: Mixture<P>,
  interval: readonly [number, number],
  cautions: readonly Caution[],
): Promise<PassesFit<P>> {
  const { params, level } = best
  const { classes } = model
  const weights = notRandom(model, best)
  const clean: RowWeights<P> = weights.by === 'losses' ? { ...weights, orRight: true } : weights
  return {
    params,
    ml,
    clean,
    corruption: {
      level: wrongLabelShare(level, classes),
      interval: [wrongLabelShare(interval[0], classes), wrongLabelShare(interval[1], classes)],
      source: 'inferred',
    },
    ...(cautions.length === 0 ? {} : { cautions }),
    ...(await standardErrors(model, rows, params, weights)),
    status: statusOf(
      params,
      best.converged
        ? { kind: 'converged' }
        : { kind: 'max-iterations', message: `still moving after ${best.trace.length} iterations` },
    ),
    iterations: best.trace.length,
    trace: best.trace,
  }
}

export async function standardErrors<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  params: P,
  weights: RowWeights<P>,
): Promise<Pick<Fit<P>, 'standardErrors' | 'covariance'>> {
  if (params.problem !== undefined) return {}
  const { values, cols } = await informationOf(model, rows, params, weights)
  const covariance = inverse(factor(values, cols))
  const errors = Float64Array.from({ length: cols }, (_, j) => Math.sqrt(covariance.values[j * (cols + 1)]))
  const likelihood = model.likelihood as unknown as Informative<Supervised, P>
  return { standardErrors: likelihood.unflatten(errors), covariance }
}
