import { dot } from './dot.js'
import type { OnlineModel } from './model.js'

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI)
/** A bad response lies within so many scales of the model, or within the response's own spread. */
const WIDTH = 3
/** Keeps the scale's parameter, log s, where e^s neither overflows nor underflows. */
const LOG_LIMIT = 300

/**
 * Linear regression with normal errors: the coefficients, the intercept, and the log of the errors' scale. Responses
 * come standardised, so that 1 is the spread of the response.
 */
export const onlineLinear: OnlineModel = {
  name: 'linear',
  standardisedResponse: true,
  parameters: (features) => features + 2,
  unpenalised: (features) => [features, features + 1],

  predict({ rows, cols, values }, params, out) {
    for (let i = 0; i < rows; i++) out.values[i] = params[cols] + dot(params, 0, values, i * cols, cols)
  },

  losses(y, params, predicted, out) {
    const log = logScale(params)
    const perScale = Math.exp(-log)
    for (let i = 0; i < out.length; i++) {
      const z = (y[i] - predicted.values[i]) * perScale
      out[i] = 0.5 * z * z + log + HALF_LOG_2PI
    }
  },

  gradient({ cols, values }, y, row, params, out) {
    const first = row * cols
    const value = params[cols] + dot(params, 0, values, first, cols)
    const perScale = Math.exp(-logScale(params))
    const z = (value - y[row]) * perScale
    const slope = z * perScale
    for (let j = 0; j < cols; j++) out[j] = slope * values[first + j]
    out[cols] = slope
    out[cols + 1] = 1 - z * z
  },

  /** Student's t with 2 degrees of freedom about the model: broad, and no distance is impossible. */
  reference(y, params, predicted, out) {
    const width = Math.max(1, WIDTH * Math.exp(logScale(params)))
    const constant = Math.log(width) + 1.5 * Math.log(2)
    const per = 1 / (2 * width * width)
    for (let i = 0; i < out.length; i++) {
      const gap = y[i] - predicted.values[i]
      out[i] = constant + 1.5 * Math.log1p(gap * gap * per)
    }
  },
}

function logScale(params: Float64Array): number {
  return Math.max(-LOG_LIMIT, Math.min(LOG_LIMIT, params[params.length - 1]))
}
