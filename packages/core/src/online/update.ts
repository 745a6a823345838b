import { checkBatch, checkState } from './check.js'
import { detectDrift } from './drift/drift.js'
import { eStep, smoothedLevel } from './e-step.js'
import { findModel, standardisesResponse } from './models/find.js'
import { learnerFrom, plain, plainLearner, probabilitiesOf, scalesFrom, vectors } from './plain.js'
import type { WithModel } from './predict.js'
import type { OnlineBatch, OnlineResult } from './result.js'
import { inUnits, scaledBatch } from './scaling/batch.js'
import { sgd } from './sgd/sgd.js'
import { type OnlineState, VERSION } from './state.js'
import { correctTemperature } from './temperature.js'

/**
 * Predicts the rows of a batch, finds how probable it is that each is good (the E-step, on the losses before the step)
 * and learns from them. The state that is given stays as it is; go on with the one returned. An empty batch changes
 * nothing.
 *
 * @example
 * let state = online.init({ model: 'logistic', features: 2 })
 * const batch = { x: fromRows([[1, 2], [3, 1], [0, 5]]), y: Float64Array.of(1, 0, 1) }
 * const step = online.update(state, batch)
 * state = step.state
 * step.result.clean // P(good) of each row
 * step.result.event // whether something changed, and what
 */
export function update(
  state: OnlineState,
  batch: OnlineBatch,
  { model: own }: WithModel = {},
): { readonly state: OnlineState; readonly result: OnlineResult } {
  checkState(state)
  const { options } = state
  const model = findModel(options, own)
  checkBatch(batch, options, model)
  const n = batch.x.rows
  const scaling = scalesFrom(state)
  const learner = learnerFrom(state.learner)
  const history = { ...state.history }
  const { x, y, next: rescaled } = scaledBatch(options, model, batch, scaling)

  const [values, losses, clean, weights, probabilities] = vectors(n, n, n, n, n * (model.labels ?? 0))
  const predicted = { values, probabilities }
  model.predict(x, learner.params, predicted)
  model.losses(y, learner.params, predicted, losses)
  const level = eStep(model, options, y, learner.params, predicted, losses, history, clean, weights)
  const drift = detectDrift(model, state, { x, y }, { predicted, losses, weights })
  correctTemperature(model, options, predicted, losses, weights, learner, history)
  if (options.weights === 'mean') for (let i = 0; i < n; i++) weights[i] /= n
  if (drift.successor === undefined) sgd(model, options, x, y, weights, learner)
  const { learner: learned, history: past } = drift.successor ?? { learner, history }
  if (standardisesResponse(model)) {
    const known = options.scaling === 'none' || state.scaling.rows > 0
    inUnits(predicted.values, losses, scaling, options.features, known)
  }
  const after: OnlineState =
    n === 0
      ? state
      : {
          version: VERSION,
          options,
          batches: state.batches + 1,
          learner: plainLearner(learned),
          scaling: { rows: rescaled.rows, means: plain(rescaled.means), scales: plain(rescaled.scales) },
          history: past,
          cusum: drift.cusum,
          challenger: drift.challenger,
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
      smoothedLevel: smoothedLevel(model, options, past),
      alarm: after.challenger !== null,
      event: drift.event,
    },
  }
}
