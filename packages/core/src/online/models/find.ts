import { RlviError } from '../../errors.js'
import type { ResolvedOnlineOptions } from '../options.js'
import { onlineLinear } from './linear.js'
import { onlineLogistic } from './logistic.js'
import type { OnlineModel } from './model.js'
import { onlineSoftmax } from './softmax.js'

let lastSoftmax: OnlineModel | undefined

/** The model by its name, or the user's own, which must be the one that the state began with. */
export function findModel({ model, classes }: ResolvedOnlineOptions, own?: OnlineModel): OnlineModel {
  if (own !== undefined) {
    if (own.name === model) return own
    throw new RlviError('online model', `the state began with the model '${model}'`, own.name)
  }
  if (model === 'logistic') return onlineLogistic
  if (model === 'linear') return onlineLinear
  if (model === 'softmax') {
    if (lastSoftmax?.labels !== classes) lastSoftmax = onlineSoftmax(classes)
    return lastSoftmax as OnlineModel
  }
  throw new RlviError(
    'online model',
    'one of logistic, softmax, linear is needed',
    model,
    'for a model of your own, pass it to every call',
  )
}

/** Whether the response is one more column to standardise. */
export function standardisesResponse({ labels, standardisedResponse = false }: OnlineModel): boolean {
  return labels === undefined && standardisedResponse
}
