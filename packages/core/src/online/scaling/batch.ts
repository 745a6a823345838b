import { scratch } from '../../kernels/scratch.js'
import { type Matrix, matrix } from '../../matrix.js'
import { standardisesResponse } from '../models/find.js'
import type { OnlineModel } from '../models/model.js'
import type { ResolvedOnlineOptions } from '../options.js'
import type { OnlineBatch } from '../result.js'
import {
  batchScales,
  firstScales,
  type Scales,
  standardise,
  standardiseExactly,
  standardiseResponse,
} from './standardise.js'

const featureVector = scratch()
const responseVector = scratch()

/** A batch as the model sees it, in vectors that are good until the next call, and the scales after it. */
export interface ScaledBatch extends OnlineBatch {
  readonly next: Scales
}

/** The batch in the scales of the rows before it, or in its own ones; so is the response where the model has it standardised. */
export function scaledBatch(
  options: ResolvedOnlineOptions,
  model: OnlineModel,
  batch: OnlineBatch,
  scaling: Scales,
): ScaledBatch {
  const n = batch.x.rows
  const withResponse = standardisesResponse(model)
  if (options.scaling === 'none' || n === 0) return { ...batch, next: scaling }
  if (options.scaling === 'batch') {
    batchScales(batch.x, scaling)
    return { x: scaled(options, batch.x, scaling), y: batch.y, next: scaling }
  }
  const response = matrix(n, 1, batch.y)
  const y = withResponse ? responseVector(n) : batch.y
  const column = options.features
  // Nothing is known before the first rows; the model says nothing about them either, so that this is no peeking.
  const first = scaling.rows === 0
  if (first) {
    firstScales(batch.x, scaling)
    if (withResponse) firstScales(response, scaling, column)
    scaling.rows = n
  }
  const next = first ? scaling : { ...scaling, means: scaling.means.slice(), scales: scaling.scales.slice() }
  const x = standardise(batch.x, scaling, featureVector(batch.x.values.length), first ? undefined : next)
  if (withResponse) {
    if (!first) standardise(response, scaling, y, next, column)
    standardiseResponse(batch.y, scaling, column, y)
  }
  if (!first) next.rows += n
  return { x, y, next }
}

/** Features alone, to predict. */
export function scaled(options: ResolvedOnlineOptions, x: Matrix, scaling: Scales): Matrix {
  if (options.scaling === 'none') return x
  const out = featureVector(x.values.length)
  return options.scaling === 'batch' ? standardiseExactly(x, scaling, out) : standardise(x, scaling, out)
}

/** Predictions and losses in the units of the response; where these are not known yet, the prediction is 0. */
export function inUnits(
  values: Float64Array,
  losses: Float64Array | undefined,
  scaling: Scales,
  column: number,
  known: boolean,
): void {
  const scale = scaling.scales[column] || 1
  const log = Math.log(scale)
  for (let i = 0; i < values.length; i++) values[i] = known ? scaling.means[column] + scale * values[i] : 0
  if (losses !== undefined) for (let i = 0; i < losses.length; i++) losses[i] += log
}
