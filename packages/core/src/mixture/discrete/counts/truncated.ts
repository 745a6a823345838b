import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import { type Matrix, matrix } from '../../../matrix.js'

/** Dispersions that are tried, and by how much log-likelihood less than the best one is still possible. */
const DISPERSIONS = [0, 0.05, 0.1, 0.2, 0.35, 0.6, 1, 1.6, 2.5, 4, 7, 12]
const POSSIBLE = 5
const MAX_STEPS = 40
const TOLERANCE = 1e-3

export interface ExpectedZeros {
  readonly mean: number
  readonly variance: number
}

/**
 * The most zeros that counts above 0 leave room for: of a law cut off at 0 and fitted to them alone, by EM with each row's
 * unseen zeros, at every dispersion that they do not rule out. Zeros of a cause of their own have no say in it.
 */
export function zerosByPositives(
  poisson: CountLikelihood,
  { x, y }: Supervised,
  weights: Float64Array,
  start: LinearParams,
): ExpectedZeros {
  const positive = Array.from(y.keys()).filter((i) => y[i] > 0 && weights[i] > 0.5)
  const seen = poisson.take({ x, y }, positive)
  const tried: Array<{ readonly value: number; readonly zeros: ExpectedZeros }> = []
  let params = start
  for (const dispersion of DISPERSIONS) {
    const law = poisson.withDispersion(dispersion)
    const model = fitTruncated(law, seen, params)
    if (!Number.isFinite(model.value)) continue
    params = model.params
    tried.push({ value: model.value, zeros: expectedZeros(law, x, params) })
  }
  const best = Math.max(...tried.map(({ value }) => value))
  return tried
    .filter(({ value }) => value >= best - POSSIBLE)
    .map(({ zeros }) => zeros)
    .reduce((a, b) => (b.mean > a.mean ? b : a), { mean: 0, variance: 0 })
}

/** How many zeros a law expects in rows with these features. */
export function expectedZeros(law: CountLikelihood, x: Matrix, params: LinearParams): ExpectedZeros {
  let mean = 0
  let variance = 0
  for (const p of zeroProbabilities(law, x, params)) {
    mean += p
    variance += p * (1 - p)
  }
  return { mean, variance }
}

function zeroProbabilities(law: CountLikelihood, x: Matrix, params: LinearParams): Float64Array {
  const losses = new Float64Array(x.rows)
  law.losses({ x, y: new Float64Array(x.rows) }, params, losses)
  return losses.map((loss) => Math.exp(-loss))
}

function fitTruncated(
  law: CountLikelihood,
  seen: Supervised,
  start: LinearParams,
): { readonly params: LinearParams; readonly value: number } {
  const n = seen.y.length
  const twice = new Float64Array(2 * seen.x.values.length)
  twice.set(seen.x.values)
  twice.set(seen.x.values, seen.x.values.length)
  const y = new Float64Array(2 * n)
  y.set(seen.y)
  const all = { x: matrix(2 * n, seen.x.cols, twice), y }
  const weights = new Float64Array(2 * n).fill(1)
  const losses = new Float64Array(n)
  let params = start
  let value = Number.NEGATIVE_INFINITY
  for (let step = 0; step < MAX_STEPS; step++) {
    law.losses(seen, params, losses)
    const zero = zeroProbabilities(law, seen.x, params)
    const before = value
    value = 0
    for (let i = 0; i < n; i++) {
      const positive = Math.max(1 - zero[i], 1e-12)
      value -= losses[i] + Math.log(positive)
      // For each count seen, so many of the same mean were 0.
      weights[n + i] = zero[i] / positive
    }
    if (!(value - before > TOLERANCE) && step > 0) break
    params = law.fit(all, weights, params)
  }
  return { params, value }
}
