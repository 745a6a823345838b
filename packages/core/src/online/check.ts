import { checkFinite, checkLength, checkShape } from '../check.js'
import { phrase, RlviError } from '../errors.js'
import type { Matrix } from '../matrix.js'
import type { OnlineModel } from './models/model.js'
import type { ResolvedOnlineOptions } from './options.js'
import type { OnlineBatch } from './result.js'
import { type OnlineState, VERSION } from './state.js'

/** A state from a file may be of an earlier release. */
export function checkState({ version }: OnlineState): void {
  if (version === VERSION) return
  throw new RlviError(
    'online state',
    `a state of version ${VERSION} is needed`,
    phrase(version === undefined ? 'something else' : `one of version ${version}`),
    'begin anew with online.init and learn the rows again',
  )
}

/** The features of a batch, or of rows to predict. */
export function checkFeatures(x: Matrix, { features }: ResolvedOnlineOptions): void {
  checkShape('online x', x)
  if (x.cols !== features) {
    throw new RlviError('online x', `${features} columns are needed, as at the start`, x.cols)
  }
  if (x.values.length !== x.rows * x.cols) {
    throw new RlviError('online x', `${x.rows} x ${x.cols} needs ${x.rows * x.cols} values`, x.values.length)
  }
  checkFinite('online x', x.values, x.cols)
}

/** Nothing is learned from a batch with an invalid row: the error names the row. */
export function checkBatch({ x, y }: OnlineBatch, options: ResolvedOnlineOptions, model: OnlineModel): void {
  checkFeatures(x, options)
  checkLength('online y', y, x.rows)
  checkFinite('online y', y)
  if (model.invalid === undefined) return
  for (let i = 0; i < y.length; i++) {
    const rule = model.invalid(y[i])
    if (rule !== undefined) throw new RlviError('online y', `row ${i} ${rule}`, y[i])
  }
}
