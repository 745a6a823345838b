import type { Matrix } from '../matrix.js'
import { checkBatch, checkFeatures, modelOf, resolve } from './check.js'
import { judge } from './drift.js'
import { smoothed, weigh } from './e-step.js'
import { firstHistory } from './level.js'
import type { StreamModel } from './models/model.js'
import {
  learnerFrom,
  plain,
  plainLearner,
  predictedRoom,
  probabilitiesOf,
  scalesFrom,
  vectors,
  zeros,
} from './plain.js'
import { descend, memoryLength } from './sgd.js'
import type { StreamBatch, StreamOptions, StreamResult, StreamState } from './state.js'
import { sharpen } from './temperature.js'
import { inUnits, scaled, view } from './view.js'

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
    history: firstHistory(resolved.method),
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
  const { x, y, next: rescaled } = view(options, model, batch, scaling)

  const [values, losses, clean, weights, probabilities] = vectors(n, n, n, n, n * (model.labels ?? 0))
  const predicted = { values, probabilities }
  model.predict(x, learner.params, predicted)
  model.losses(y, learner.params, predicted, losses)
  const level = weigh(model, options, y, learner.params, predicted, losses, history, clean, weights)
  const verdict = judge(model, state, { x, y }, { predicted, losses, weights })
  sharpen(model, options, predicted, losses, weights, learner, history)
  if (options.weights === 'mean') for (let i = 0; i < n; i++) weights[i] /= n
  if (verdict.winner === undefined) descend(model, options, x, y, weights, learner)
  const { learner: next, history: past } = verdict.winner ?? { learner, history }
  if (model.labels === undefined) {
    const known = options.scaling === 'none' || state.scaling.rows > 0
    inUnits(predicted.values, losses, scaling, options.features, known)
  }
  const after: StreamState =
    n === 0
      ? state
      : {
          version: 1,
          options,
          batches: state.batches + 1,
          learner: plainLearner(next),
          scaling: { rows: rescaled.rows, means: plain(rescaled.means), scales: plain(rescaled.scales) },
          history: past,
          excess: verdict.excess,
          trial: verdict.trial,
        }
  return {
    state: after,
    result: {
      batch: after.batches,
      predictions: predicted.values,
      probabilities: probabilitiesOf(model, n, predicted),
      clean,
      weights,
      losses,
      level,
      smoothedLevel: smoothed(model, options, past),
      suspicious: after.trial !== null,
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
  model.predict(scaled(options, x, scaling), params, predicted)
  if (model.labels === undefined) {
    const known = options.scaling === 'none' || state.scaling.rows > 0
    inUnits(predicted.values, undefined, scaling, options.features, known)
  }
  return { predictions: predicted.values, probabilities: probabilitiesOf(model, x.rows, predicted) }
}
