import { RlviError } from '../../errors.js'
import { dot } from './dot.js'
import type { OnlineModel } from './model.js'

const MOST = 745

/** Softmax regression: for each of K labels its coefficients, then its intercept; labels are 0 to K - 1. */
export function onlineSoftmax(classes: number): OnlineModel {
  if (!Number.isInteger(classes) || classes < 2) {
    throw new RlviError(
      'online classes',
      'a softmax model needs a whole number of at least 2 labels',
      classes,
    )
  }
  const scores = new Float64Array(classes)
  return {
    name: 'softmax',
    labels: classes,
    linearLogits: true,
    parameters: (features) => classes * (features + 1),
    unpenalised: (features) => Array.from({ length: classes }, (_, k) => k * (features + 1) + features),
    invalid: (y) =>
      Number.isInteger(y) && y >= 0 && y < classes
        ? undefined
        : `must be a whole number from 0 to ${classes - 1}`,

    predict(x, params, out) {
      for (let i = 0; i < x.rows; i++) {
        out.values[i] = shares(x.values, i * x.cols, x.cols, params, scores)
        for (let k = 0; k < classes; k++) out.probabilities[i * classes + k] = scores[k]
      }
    },

    losses(y, _params, { probabilities }, out) {
      for (let i = 0; i < out.length; i++) {
        out[i] = Math.min(MOST, -Math.log(probabilities[i * classes + y[i]]))
      }
    },

    gradient(x, y, row, params, out) {
      const first = row * x.cols
      shares(x.values, first, x.cols, params, scores)
      for (let k = 0, to = 0; k < classes; k++) {
        const residual = scores[k] - (y[row] === k ? 1 : 0)
        for (let j = 0; j < x.cols; j++) out[to++] = residual * x.values[first + j]
        out[to++] = residual
      }
    },
  }
}

/** P(label) of each label, into `out`; returns the most probable one, the first among equals. */
function shares(
  values: Float64Array,
  first: number,
  cols: number,
  params: Float64Array,
  out: Float64Array,
): number {
  let best = 0
  for (let k = 0; k < out.length; k++) {
    const at = k * (cols + 1)
    out[k] = params[at + cols] + dot(params, at, values, first, cols)
    if (out[k] > out[best]) best = k
  }
  const most = out[best]
  let sum = 0
  for (let k = 0; k < out.length; k++) {
    out[k] = Math.exp(out[k] - most)
    sum += out[k]
  }
  for (let k = 0; k < out.length; k++) out[k] /= sum
  return best
}
