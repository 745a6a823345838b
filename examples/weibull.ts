/**
 * A likelihood of one's own: lifetimes that follow a Weibull distribution. The members up to `vector` are a `Likelihood`, all
 * that `ml`, `paper` and `rrm` ask for; with the others it is a `Discrete` one, and `fit` and `sever` work too.
 */
import { type Discrete, matrix, type Params, RlviError } from 'rlvi'

export interface Lifetimes {
  readonly times: Float64Array
}

export interface WeibullParams extends Params {
  /** Below 1: infant mortality; 1: no ageing; above 1: wear. */
  readonly shape: number
  /** 63 % have failed by then. */
  readonly scale: number
}

export interface WeibullErrors {
  readonly shape: number
  readonly scale: number
}

export const weibull: Discrete<Lifetimes, WeibullParams, WeibullErrors> = {
  name: 'weibull',
  rows: ({ times }) => times.length,

  check({ times }) {
    if (times.length === 0) throw new RlviError('times', 'at least one is needed', 0)
    const odd = times.findIndex((t) => !(t > 0 && t < Number.POSITIVE_INFINITY))
    if (odd >= 0) throw new RlviError(`times[${odd}]`, 'a time must be positive and finite', times[odd])
  },

  fit({ times }, weights = new Float64Array(times.length).fill(1), start) {
    const shape = bestShape(times, weights, start?.shape ?? 1)
    const longest = times.reduce((a, b) => Math.max(a, b))
    let sum = 0
    let total = 0
    for (let i = 0; i < times.length; i++) {
      sum += weights[i] * (times[i] / longest) ** shape
      total += weights[i]
    }
    const params = { shape, scale: longest * (sum / total) ** (1 / shape) }
    if (shape < STEEPEST) return params
    return { ...params, problem: { reason: 'exact-fit', message: 'all times that count are the same' } }
  },

  losses({ times }, { shape, scale }, out) {
    for (let i = 0; i < times.length; i++) {
      const u = Math.log(times[i] / scale)
      out[i] = Math.exp(shape * u) - shape * u + Math.log(times[i] / shape)
    }
  },

  vector: ({ shape, scale }) => Float64Array.of(shape, scale),

  take: ({ times }, rows) => ({ times: Float64Array.from(rows, (i) => times[i]) }),

  /** A bad time is as likely to be in one order of magnitude as in another: a density that has no unit. */
  reference({ times }, _params, out) {
    const longest = times.reduce((a, b) => Math.max(a, b))
    const shortest = times.reduce((a, b) => Math.min(a, b))
    const range = Math.log(longest / shortest) || 1
    for (let i = 0; i < times.length; i++) out[i] = Math.log(times[i]) + Math.log(range)
  },

  gradients({ times }, { shape, scale }) {
    const out = matrix(times.length, 2)
    for (let i = 0; i < times.length; i++) {
      const u = Math.log(times[i] / scale)
      const z = Math.exp(shape * u)
      out.values[2 * i] = z * u - u - 1 / shape
      out.values[2 * i + 1] = (shape / scale) * (1 - z)
    }
    return out
  },

  information({ times }, { shape, scale }, weights) {
    let [byShapes, byBoth, byScales] = [0, 0, 0]
    for (let i = 0; i < times.length; i++) {
      const u = Math.log(times[i] / scale)
      const z = Math.exp(shape * u)
      const byShape = z * u - u - 1 / shape
      const byScale = (shape / scale) * (1 - z)
      const w = weights[i]
      const lost = w * (1 - w)
      byShapes += w * (1 / shape ** 2 + z * u * u) - lost * byShape ** 2
      byBoth += (w * (1 - z - shape * z * u)) / scale - lost * byShape * byScale
      byScales += (w * shape * ((1 + shape) * z - 1)) / scale ** 2 - lost * byScale ** 2
    }
    return matrix(2, 2, Float64Array.of(byShapes, byBoth, byBoth, byScales))
  },

  unflatten: ([shape, scale]) => ({ shape, scale }),
}

/** A shape beyond this has seen nothing but rounding between the times. */
const STEEPEST = 1e6

/** The root of the profile score: mean of log t under weights t^shape, less 1 / shape, equals the mean of log t. It rises. */
function bestShape(times: Float64Array, weights: Float64Array, start: number): number {
  const logs = times.map(Math.log)
  let total = 0
  let mean = 0
  for (let i = 0; i < logs.length; i++) {
    total += weights[i]
    mean += weights[i] * logs[i]
  }
  mean /= total
  let shape = start
  for (let k = 0; k < 200; k++) {
    let sum = 0
    let first = 0
    let second = 0
    for (let i = 0; i < logs.length; i++) {
      const u = logs[i] - mean
      const e = weights[i] * Math.exp(shape * u)
      sum += e
      first += e * u
      second += e * u * u
    }
    const score = first / sum - 1 / shape
    const slope = second / sum - (first / sum) ** 2 + 1 / shape ** 2
    // Newton on log(shape), no more than e-fold at a time: the shape stays positive.
    const step = Math.max(-1, Math.min(1, -score / (slope * shape)))
    shape *= Math.exp(step)
    if (Math.abs(step) < 1e-13 || shape > STEEPEST) break
  }
  return shape
}
