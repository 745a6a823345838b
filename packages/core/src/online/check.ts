import { checkBetween, checkFinite, checkLength } from '../check.js'
import { RlviError } from '../errors.js'
import type { Matrix } from '../matrix.js'
import { linearStream } from './models/linear.js'
import { logisticStream } from './models/logistic.js'
import type { StreamModel } from './models/model.js'
import { softmaxStream } from './models/softmax.js'
import type { ResolvedStreamOptions, StreamBatch, StreamOptions } from './state.js'

/** Every choice made, and none that cannot be had. */
export function resolve(options: StreamOptions): ResolvedStreamOptions {
  const { features, method = 'calibrated', schedule = 'adaptive', scaling = 'running' } = options
  oneOf('stream method', method, ['calibrated', 'paper', 'rrm', 'sgd'])
  oneOf('stream schedule', schedule, ['adaptive', 'optimal'])
  oneOf('stream scaling', scaling, ['running', 'batch', 'none'])
  const { weights = schedule === 'optimal' ? 'mean' : 'sum' } = options
  oneOf('stream weights', weights, ['mean', 'sum'])
  if (!Number.isInteger(features) || features < 0) {
    throw new RlviError('stream features', 'a whole number of columns is needed', features)
  }
  const { epsilon = 0.3, alpha = schedule === 'optimal' ? 1e-4 : 0, asReleased = false } = options
  checkBetween('stream epsilon', epsilon, 0, 1)
  if (!(alpha >= 0 && alpha < 1)) throw new RlviError('stream alpha', 'a number from 0 to 1 is needed', alpha)
  if (schedule === 'optimal' && alpha === 0) {
    throw new RlviError('stream alpha', "the schedule 'optimal' needs a positive penalty", alpha)
  }
  const model = typeof options.model === 'string' ? options.model : options.model.name
  const resolved: ResolvedStreamOptions = {
    model,
    features,
    classes: options.classes ?? 0,
    method,
    epsilon,
    schedule,
    alpha,
    scaling,
    weights,
    asReleased,
    drift: options.drift ?? method === 'calibrated',
  }
  const known = modelOf(resolved, typeof options.model === 'string' ? undefined : options.model)
  if (asReleased && known.labels !== 2) {
    throw new RlviError('stream asReleased', 'the released code has labels 0 and 1 only', model)
  }
  if (method === 'calibrated' && known.labels === undefined && known.reference === undefined) {
    throw new RlviError('stream method', `'calibrated' needs a model with labels or a reference`, model)
  }
  if (scaling === 'batch' && known.labels === undefined) {
    throw new RlviError(
      'stream scaling',
      "'batch' is for labels: a response would be told to its own prediction",
      model,
    )
  }
  if (resolved.drift && method !== 'calibrated') {
    throw new RlviError('stream drift', "only the method 'calibrated' can tell drift", method)
  }
  return resolved
}

function oneOf(where: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new RlviError(where, `one of ${known.join(', ')} is needed`, value)
}

let lastSoftmax: StreamModel | undefined

/** The model by its name, or the given object, which must be the one that the stream began with. */
export function modelOf(options: ResolvedStreamOptions, own?: StreamModel): StreamModel {
  if (own !== undefined) {
    if (own.name === options.model) return own
    throw new RlviError('stream model', `the stream began with the model '${options.model}'`, own.name)
  }
  if (options.model === 'logistic') return logisticStream
  if (options.model === 'linear') return linearStream
  if (options.model === 'softmax') {
    if (lastSoftmax?.labels !== options.classes) lastSoftmax = softmaxStream(options.classes)
    return lastSoftmax as StreamModel
  }
  throw new RlviError(
    'stream model',
    'one of logistic, softmax, linear is needed',
    options.model,
    'or pass the model itself to every call',
  )
}

export function checkFeatures(x: Matrix, { features }: ResolvedStreamOptions): void {
  if (x.cols !== features) {
    throw new RlviError('stream x', `${features} columns are needed, as at the start`, x.cols)
  }
  if (x.values.length !== x.rows * x.cols) {
    throw new RlviError('stream x', `${x.rows} x ${x.cols} needs ${x.rows * x.cols} values`, x.values.length)
  }
  checkFinite('stream x', x.values, x.cols)
}

/** Nothing is learned from a batch with a row that cannot be: the error names the row. */
export function checkBatch({ x, y }: StreamBatch, options: ResolvedStreamOptions, model: StreamModel): void {
  checkFeatures(x, options)
  checkLength('stream y', y, x.rows)
  checkFinite('stream y', y)
  if (model.rejects === undefined) return
  for (let i = 0; i < y.length; i++) {
    const rule = model.rejects(y[i])
    if (rule !== undefined) throw new RlviError('stream y', `row ${i} ${rule}`, y[i])
  }
}
