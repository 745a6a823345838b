import type { OnlineModel } from 'rlvi'

/** Keeps e^f a finite number. */
const LIMIT = 50

/**
 * Counts that come as a stream: y is Poisson with mean e^f, where f is linear in the features. Parameters are the
 * coefficients, then the intercept. It is a model of one's own for `online.init`, and nothing in it is special to us.
 */
export const onlinePoisson: OnlineModel = {
  name: 'poisson',
  parameters: (features) => features + 1,
  unpenalised: (features) => [features],
  invalid: (y) => (Number.isInteger(y) && y >= 0 ? undefined : 'must be a count: 0, 1, 2, …'),

  predict({ rows, cols, values }, params, out) {
    for (let i = 0; i < rows; i++) {
      let f = params[cols]
      for (let j = 0; j < cols; j++) f += params[j] * values[i * cols + j]
      out.values[i] = mean(f)
    }
  },

  losses(y, _params, predicted, out) {
    for (let i = 0; i < out.length; i++) {
      const rate = predicted.values[i]
      out[i] = rate - y[i] * Math.log(rate) + logFactorial(y[i])
    }
  },

  gradient({ cols, values }, y, row, params, out) {
    let f = params[cols]
    for (let j = 0; j < cols; j++) f += params[j] * values[row * cols + j]
    const slope = mean(f) - y[row]
    for (let j = 0; j < cols; j++) out[j] = slope * values[row * cols + j]
    out[cols] = slope
  },

  /**
   * A wrong count may be anything: P(y) = 1 / log(y + e) - 1 / log(y + 1 + e), half of it below 5, and a tail so heavy
   * that it has no mean. The sum over all counts is 1, each term taking away what the next one begins with.
   */
  reference(y, _params, _predicted, out) {
    for (let i = 0; i < out.length; i++) {
      const from = y[i] + Math.E
      out[i] = Math.log(Math.log(from) * Math.log(from + 1)) - Math.log(Math.log1p(1 / from))
    }
  },
}

function mean(f: number): number {
  return Math.exp(Math.max(-LIMIT, Math.min(LIMIT, f)))
}

const logFactorials: number[] = [0]

/** log y!, from a table that grows to 1000, then by Stirling's series, whose error is below 1e-13 there. */
export function logFactorial(y: number): number {
  if (y > 1000) {
    return y * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI * y) + 1 / (12 * y) - 1 / (360 * y ** 3)
  }
  for (let k = logFactorials.length; k <= y; k++) logFactorials.push(logFactorials[k - 1] + Math.log(k))
  return logFactorials[y]
}
