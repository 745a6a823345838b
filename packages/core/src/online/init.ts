import { firstHistory } from './level/history.js'
import { findModel, standardisesResponse } from './models/find.js'
import { type OnlineOptions, resolveOptions } from './options.js'
import { zeros } from './plain.js'
import { memoryLength } from './sgd/sgd.js'
import { type OnlineState, VERSION } from './state.js'

/**
 * The state before the first row.
 *
 * @example
 * let state = online.init({ model: 'logistic', features: 60 })
 * const other = online.init({ model: 'softmax', features: 60, classes: 4, method: 'paper' })
 */
export function init(options: OnlineOptions): OnlineState {
  const resolved = resolveOptions(options)
  const model = findModel(resolved, typeof options.model === 'string' ? undefined : options.model)
  const parameters = model.parameters(resolved.features)
  const columns = resolved.features + (standardisesResponse(model) ? 1 : 0)
  return {
    version: VERSION,
    options: resolved,
    batches: 0,
    learner: { rows: 0, params: zeros(parameters), memory: zeros(memoryLength(resolved, parameters)) },
    scaling: { rows: 0, means: zeros(columns), scales: zeros(columns) },
    history: firstHistory(resolved.method),
    cusum: 0,
    challenger: null,
  }
}
