import { dot } from './dot.js'
import type { OnlineModel } from './model.js'

/** The largest loss: -log of the smallest probability that is not 0. */
const MOST = 745
const CUT = 18

/** Logistic regression: parameters are the coefficients, then the intercept; labels are 0 and 1. */
export const onlineLogistic: OnlineModel = {
  name: 'logistic',
  labels: 2,
  linearLogits: true,
  parameters: (features) => features + 1,
  unpenalised: (features) => [features],
  invalid: (y) => (y === 0 || y === 1 ? undefined : 'must be 0 or 1'),

  predict({ rows, cols, values }, params, out) {
    const { probabilities } = out
    for (let i = 0; i < rows; i++) {
      const score = params[cols] + dot(params, 0, values, i * cols, cols)
      // e^-|f| cannot overflow, and keeps the digits of the smaller probability.
      const small = Math.exp(-Math.abs(score))
      const minor = small / (1 + small)
      const major = 1 / (1 + small)
      probabilities[2 * i] = score > 0 ? minor : major
      probabilities[2 * i + 1] = score > 0 ? major : minor
      out.values[i] = score > 0 ? 1 : 0
    }
  },

  losses(y, _params, { probabilities }, out) {
    for (let i = 0; i < out.length; i++) out[i] = Math.min(MOST, -Math.log(probabilities[2 * i + y[i]]))
  },

  gradient({ cols, values }, y, row, params, out) {
    const first = row * cols
    const residual = slope(params[cols] + dot(params, 0, values, first, cols), y[row])
    for (let j = 0; j < cols; j++) out[j] = residual * values[first + j]
    out[cols] = residual
  },

  slope,
}

/**
 * P(1) - y. Beyond a margin of 18 the probability of the other label is cut to e^-margin or 1, as scikit-learn does:
 * the difference is below 2e-8, but with steps as large as the paper's it grows from batch to batch.
 */
function slope(score: number, y: number): number {
  const sign = y === 1 ? -1 : 1
  const margin = -sign * score
  if (margin > CUT) return sign * Math.exp(-margin)
  return margin < -CUT ? sign : sign / (Math.exp(margin) + 1)
}
