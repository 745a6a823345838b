import type { Matrix } from '../matrix.js'
import { checkFeatures, checkState } from './check.js'
import { findModel, standardisesResponse } from './models/find.js'
import type { OnlineModel } from './models/model.js'
import { predictedRoom, probabilitiesOf, scalesFrom } from './plain.js'
import type { OnlineResult } from './result.js'
import { inUnits, scaled } from './scaling/batch.js'
import type { OnlineState } from './state.js'

/** For a model of your own: the object that `online.init` was given. */
export interface WithModel {
  readonly model?: OnlineModel
}

/**
 * What the model says of rows, without learning; with `batch` scaling by the scales of the last batch learned.
 *
 * @example
 * const state = online.init({ model: 'logistic', features: 2 })
 * const { predictions, probabilities } = online.predict(state, fromRows([[1, 2], [3, 1]]))
 */
export function predict(
  state: OnlineState,
  x: Matrix,
  { model: own }: WithModel = {},
): Pick<OnlineResult, 'predictions' | 'probabilities'> {
  checkState(state)
  const { options } = state
  const model = findModel(options, own)
  checkFeatures(x, options)
  const scaling = scalesFrom(state)
  const predicted = predictedRoom(model, x.rows)
  const params = Float64Array.from(state.learner.params)
  model.predict(scaled(options, x, scaling), params, predicted)
  if (standardisesResponse(model)) {
    const known = options.scaling === 'none' || state.scaling.rows > 0
    inUnits(predicted.values, undefined, scaling, options.features, known)
  }
  return { predictions: predicted.values, probabilities: probabilitiesOf(model, x.rows, predicted) }
}
