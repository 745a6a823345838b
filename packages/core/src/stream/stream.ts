import { scratch } from '../kernels/scratch.js'
import { type Matrix, matrix } from '../matrix.js'
import { checkBatch, checkFeatures, modelOf, resolve } from './check.js'
import { descend, memoryLength } from './descend.js'
import type { StreamModel } from './model.js'
import {
  learnerFrom,
  plain,
  plainLearner,
  predictedRoom,
  probabilitiesOf,
  scalesFrom,
  zeros,
} from './plain.js'
import {
  batchScales,
  CLIP,
  HUGE,
  learnScales,
  type Scales,
  standardise,
  standardiseExactly,
} from './scaling.js'
import type { ResolvedStreamOptions, StreamBatch, StreamOptions, StreamResult, StreamState } from './state.js'
import { judge } from './trial.js'
import { smoothed, weigh } from './weigh.js'

/** For a model that has no name: the object that `init` was given. */
export interface WithModel {
  readonly model?: StreamModel
}

/** A stream before its first row. */
export function init(options: StreamOptions): StreamState {
  const resolved = resolve(options)
  const model = modelOf(resolved, typeof options.model === 'string' ? undefined : options.model)
  const parameters = model.parameters(resolved.features)
  const columns = resolved.features + (model.labels === undefined ? 1 : 0)
  return {
    version: 1,
    options: resolved,
    batches: 0,
    learner: { rows: 0, params: zeros(parameters), memory: zeros(memoryLength(resolved, parameters)) },
    scaling: { rows: 0, means: zeros(columns), scales: zeros(columns) },
    history: { rows: 0, bad: 0, squares: 0 },
    excess: 0,
    trial: null,
  }
}

/**
 * Predicts the rows of a batch, judges them (the E-step, on the losses before the step) and learns from them. The
 * state that is given stays as it is; go on with the one returned. An empty batch changes nothing.
 */
export function update(
  state: StreamState,
  batch: StreamBatch,
  { model: own }: WithModel = {},
): { readonly state: StreamState; readonly result: StreamResult } {
  const { options } = state
  const model = modelOf(options, own)
  checkBatch(batch, options, model)
  const n = batch.x.rows
  const scaling = scalesFrom(state)
  const learner = learnerFrom(state.learner)
  const history = { ...state.history }
  const { x, y } = standardised(options, model, batch, scaling)

  const predicted = predictedRoom(model, n)
  const losses = new Float64Array(n)
  const clean = new Float64Array(n)
  const weights = new Float64Array(n)
  model.predict(x, learner.params, predicted)
  model.losses(y, learner.params, predicted, losses)
  const level = weigh(model, options, y, learner.params, predicted, losses, history, clean, weights)
  const verdict = judge(model, state, { x, y }, { predicted, losses, weights })
  if (options.weights === 'mean') for (let i = 0; i < n; i++) weights[i] /= n
  if (verdict.winner === undefined) descend(model, options, x, y, weights, learner)
  const { learner: next, history: past } = verdict.winner ?? { learner, history }
  if (model.labels === undefined) {
    const known = options.scaling !== 'running' || state.scaling.rows > 0
    inUnits(predicted.values, losses, scaling, options.features, known)
  }
  if (options.scaling === 'running' && state.scaling.rows > 0) takeIn(model, batch, x, y, scaling)

  return {
    state: {
      version: 1,
      options,
      batches: state.batches + (n > 0 ? 1 : 0),
      learner: plainLearner(next),
      scaling: { rows: scaling.rows, means: plain(scaling.means), scales: plain(scaling.scales) },
      history: past,
      excess: verdict.excess,
      trial: verdict.trial,
    },
    result: {
      batch: state.batches + (n > 0 ? 1 : 0),
      predictions: predicted.values,
      probabilities: probabilitiesOf(model, n, predicted),
      clean,
      weights,
      losses,
      level,
      smoothedLevel: smoothed(model, options, past),
      suspicious: verdict.trial !== null,
      event: verdict.event,
    },
  }
}

/** What the model says of rows, without learning; with `batch` scaling by the scales of the last batch learned. */
export function predict(
  state: StreamState,
  x: Matrix,
  { model: own }: WithModel = {},
): Pick<StreamResult, 'predictions' | 'probabilities'> {
  const { options } = state
  const model = modelOf(options, own)
  checkFeatures(x, options)
  const scaling = scalesFrom(state)
  const predicted = predictedRoom(model, x.rows)
  const params = Float64Array.from(state.learner.params)
  model.predict(scaledFeatures(options, x, scaling), params, predicted)
  if (model.labels === undefined) {
    const known = options.scaling === 'none' || state.scaling.rows > 0
    inUnits(predicted.values, new Float64Array(x.rows), scaling, options.features, known)
  }
  return { predictions: predicted.values, probabilities: probabilitiesOf(model, x.rows, predicted) }
}

const featureVector = scratch()
const responseVector = scratch()

/** The batch as the model sees it. The scratch vectors behind it are good until the next call. */
function standardised(
  options: ResolvedStreamOptions,
  model: StreamModel,
  batch: StreamBatch,
  scaling: Scales,
): StreamBatch {
  const response = matrix(batch.x.rows, 1, batch.y)
  const numeric = model.labels === undefined
  if (options.scaling === 'batch' && batch.x.rows > 0) {
    batchScales(batch.x, scaling)
    if (numeric) batchScales(response, scaling, options.features)
  }
  // Nothing is known before the first rows; the model says nothing about them either, so that this is no peeking.
  if (options.scaling === 'running' && scaling.rows === 0) takeIn(model, batch, batch.x, batch.y, scaling)
  const x = scaledFeatures(options, batch.x, scaling)
  if (!numeric || options.scaling === 'none') return { x, y: batch.y }
  const y = responseVector(batch.y.length)
  standardise(response, scaling, HUGE, y, options.features)
  return { x, y }
}

function scaledFeatures(options: ResolvedStreamOptions, x: Matrix, scaling: Scales): Matrix {
  if (options.scaling === 'none') return x
  const out = featureVector(x.values.length)
  return options.scaling === 'batch'
    ? standardiseExactly(x, scaling, out)
    : standardise(x, scaling, CLIP, out)
}

/** Takes rows into the running scales; z and standard are they in the scales so far. */
function takeIn(
  model: StreamModel,
  batch: StreamBatch,
  z: Matrix,
  standard: Float64Array,
  scaling: Scales,
): void {
  const n = batch.x.rows
  learnScales(batch.x, z, scaling)
  if (model.labels === undefined) {
    learnScales(matrix(n, 1, batch.y), matrix(n, 1, standard), scaling, batch.x.cols)
  }
  scaling.rows += n
}

/** Predictions and losses in the units of the response; where these are not known yet, the prediction is 0. */
function inUnits(
  values: Float64Array,
  losses: Float64Array,
  scaling: Scales,
  column: number,
  known: boolean,
): void {
  const scale = scaling.scales[column] || 1
  for (let i = 0; i < values.length; i++) {
    values[i] = known ? scaling.means[column] + scale * values[i] : 0
    losses[i] += Math.log(scale)
  }
}
