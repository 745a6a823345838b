import type { Params } from '../../../likelihoods/likelihood.js'
import { type Matrix, matrix } from '../../../matrix.js'
import { EM, laplace } from './evidence.js'
import type { Classed } from './labelled.js'
import { posteriorOf } from './noise.js'
import { fitThroughNoise } from './through-noise.js'

/** Shares of one class's labels that are tried as wrong, each from the model of the one before. */
const RATES = [0.1, 0.3]
/** Log evidence so far behind that of no wrong label is not worth the next rate. */
const HOPELESS = 8

/** Labels of one class that go wrong, all others being right. */
export interface OneSided<P> {
  /** P(given y | true c). */
  readonly T: Matrix
  /** Share of each true class. */
  readonly shares: Float64Array
  readonly params: P
  readonly evidence: number
  /** Which class it is was looked for. */
  readonly cost: number
}

/**
 * The class whose labels alone explain the given ones best as partly wrong, from a model of no wrong label. Such a model is soft: it takes
 * wrong labels of a class, a rare one above all, for probable ones, and P(class) by it, from which habits are learned,
 * shows none. Only a model that was fitted through the noise does.
 */
export function bestOneSided<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  start: P,
): OneSided<P> | undefined {
  const { classes } = likelihood
  const given = classes.given(data)
  const p = classes.probabilities(data, start)
  const K = p.cols
  const evidenceOf = (from: P, T: Matrix) => {
    const model = fitThroughNoise(likelihood, data, from, T, EM)
    const evidence = laplace(likelihood, data, model, (rows, params) =>
      classes.information(rows, params, model.posterior),
    )
    return { params: model.params, evidence }
  }
  const none = evidenceOf(start, oneSided(new Float64Array(K), 0))
  let best: Omit<OneSided<P>, 'shares' | 'cost'> | undefined
  for (let c = 0; c < K; c++) {
    const taken = takenFor(p, given, c)
    let params = none.params
    for (const rate of RATES) {
      const T = oneSided(taken, c, rate)
      const found = evidenceOf(params, T)
      params = found.params
      if (best === undefined || found.evidence > best.evidence) best = { ...found, T }
      if (found.evidence < none.evidence - HOPELESS) break
    }
  }
  if (best === undefined || !(best.evidence > none.evidence - HOPELESS)) return undefined
  const { posterior } = posteriorOf(classes.probabilities(data, best.params), given, best.T)
  const shares = new Float64Array(K)
  posterior.values.forEach((share, k) => {
    shares[k % K] += share / given.length
  })
  return { ...best, shares, cost: Math.log(K) }
}

/** Which labels a class has where it is mistaken, in proportion to how probable it is in rows of these labels. */
function takenFor(p: Matrix, given: Float64Array, c: number): Float64Array {
  const K = p.cols
  const out = new Float64Array(K)
  given.forEach((label, i) => {
    if (label !== c) out[label] += p.values[i * K + c]
  })
  const sum = out.reduce((a, b) => a + b, 0)
  return out.map((value, y) => (y === c ? 0 : sum > 0 ? value / sum : 1 / (K - 1)))
}

/** All labels right, but for a share of one class's. */
function oneSided(taken: Float64Array, c: number, rate = 0): Matrix {
  const K = taken.length
  const T = matrix(K, K)
  for (let k = 0; k < K; k++) T.values[k * (K + 1)] = 1
  T.values[c * (K + 1)] = 1 - rate
  for (let y = 0; y < K; y++) if (y !== c) T.values[c * K + y] = rate * taken[y]
  return T
}
