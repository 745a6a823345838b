import { digamma, logGamma } from '../../../likelihoods/log-gamma.js'
import { type Matrix, matrix } from '../../../matrix.js'

/**
 * Pseudo-counts by which each class's rate of wrong labels is drawn to that of all, and by which the classes that it is
 * taken for are drawn to being all alike. Infinitely many are the uniform noise.
 */
const RATES = [Infinity, 80, 20, 5]
const DIRECTIONS = [Infinity, 8, 2, 0.5]
const STEPS = 200
const SETTLED = 1e-5

/** What the labels say of how they go wrong, given what the features say of their classes. */
export interface LearnedHabits {
  /** P(given y | true c): its posterior mean. */
  readonly T: Matrix
  /** log evidence, less that of uniform noise at its best level. */
  readonly gain: number
  /** What learning cost: log-likelihood at T less log evidence. */
  readonly cost: number
  /** Share of each true class. */
  readonly shares: Float64Array
}

interface Prior {
  readonly rate: number
  readonly direction: number
}

/**
 * P(given y | true c) from P(true class | features) of rows that did not take part in the fit that says it: by variational Bayes,
 * with priors about the uniform noise whose strengths have most evidence. The likelihood is concave in T, so there is one answer.
 * With weights a row counts as so many.
 */
export function learnHabits(p: Matrix, given: Float64Array, weights?: Float64Array): LearnedHabits {
  const K = p.cols
  let uniform = Number.NEGATIVE_INFINITY
  let best: (LearnedHabits & { readonly evidence: number }) | undefined
  for (const rate of RATES)
    for (const direction of DIRECTIONS) {
      if (K === 2 && direction !== Infinity) continue
      const found = settle(p, given, { rate, direction }, weights)
      if (rate === Infinity && direction === Infinity) uniform = found.evidence
      if (best === undefined || found.evidence > best.evidence) best = { ...found, gain: 0 }
    }
  const { evidence, ...rest } = best!
  return { ...rest, gain: evidence - uniform }
}

function settle(p: Matrix, given: Float64Array, prior: Prior, weights: Float64Array | undefined) {
  const K = p.cols
  // T as the posterior's mean, and as what the mean of its logarithm says, which the bound is made of.
  let logs = startOf(K)
  let evidence = Number.NEGATIVE_INFINITY
  let state = rowsOf(counts(p, given, logs, weights).N, prior)
  for (let step = 0; step < STEPS; step++) {
    logs = state.expected
    const { N, value } = counts(p, given, logs, weights)
    const now = value - state.divergence
    const gain = now - evidence
    evidence = now
    if (gain < SETTLED && step > 0) break
    state = rowsOf(N, prior)
  }
  const { N } = counts(p, given, state.expected, weights)
  const { value } = counts(p, given, state.mean, weights)
  const shares = new Float64Array(K)
  let total = 0
  N.values.forEach((count, k) => {
    shares[Math.floor(k / K)] += count
    total += count
  })
  return { T: state.mean, evidence, cost: value - evidence, shares: shares.map((count) => count / total) }
}

function startOf(K: number): Matrix {
  const off = 0.1 / (K - 1)
  return matrix(
    K,
    K,
    new Float64Array(K * K).map((_, k) => (k % (K + 1) === 0 ? 0.9 : off)),
  )
}

/** Expected counts of rows by true class and given label, and the log-likelihood: the E-step of `posteriorOf`, without its matrix. */
function counts(
  p: Matrix,
  given: Float64Array,
  T: Matrix,
  weights: Float64Array | undefined,
): { readonly N: Matrix; readonly value: number } {
  const K = p.cols
  const N = matrix(K, K)
  let value = 0
  for (let i = 0; i < p.rows; i++) {
    const label = given[i]
    let sum = 0
    for (let c = 0; c < K; c++) sum += p.values[i * K + c] * T.values[c * K + label]
    const w = weights === undefined ? 1 : weights[i]
    value += w * Math.log(Math.max(sum, Number.MIN_VALUE))
    for (let c = 0; c < K; c++) {
      const k = c * K + label
      // A label that cannot be: no class explains it, and the features alone speak.
      N.values[k] += w * p.values[i * K + c] * (sum > 0 ? T.values[k] / sum : 1)
    }
  }
  return { N, value }
}

/** The posterior of T's rows by the counts, its divergence from the prior, its mean, and exp of its mean logarithm. */
function rowsOf(N: Matrix, { rate, direction }: Prior) {
  const K = N.cols
  const wrong = new Float64Array(K)
  const right = new Float64Array(K)
  N.values.forEach((count, k) => {
    const c = Math.floor(k / K)
    if (k % K === c) right[c] += count
    else wrong[c] += count
  })
  const all = sum(wrong) + sum(right)
  // The rate of all is not below that of half a row: a class without rows has it.
  const level = Math.min(Math.max(sum(wrong), 0.5) / all, (K - 1) / K)
  const mean = matrix(K, K)
  const expected = matrix(K, K)
  let divergence = 0
  for (let c = 0; c < K; c++) {
    const others = Array.from({ length: K }, (_, y) => y).filter((y) => y !== c)
    const ofRate = dirichlet([level, 1 - level], [wrong[c], right[c]], rate)
    const ofDirection = dirichlet(
      others.map(() => 1 / (K - 1)),
      others.map((y) => N.values[c * K + y]),
      direction,
    )
    divergence += ofRate.divergence + ofDirection.divergence
    mean.values[c * K + c] = ofRate.mean[1]
    expected.values[c * K + c] = ofRate.expected[1]
    others.forEach((y, j) => {
      mean.values[c * K + y] = ofRate.mean[0] * ofDirection.mean[j]
      expected.values[c * K + y] = ofRate.expected[0] * ofDirection.expected[j]
    })
  }
  return { mean, expected, divergence }
}

/** The posterior of shares of which the prior's mean, its pseudo-counts and counts are known. */
function dirichlet(base: readonly number[], found: readonly number[], pseudo: number) {
  if (pseudo === Infinity) return { mean: base, expected: base, divergence: 0 }
  const before = base.map((b) => pseudo * b)
  const after = before.map((b, j) => b + found[j])
  const total = sum(after)
  const atTotal = digamma(total)
  const logs = after.map((a) => digamma(a) - atTotal)
  let divergence = logGamma(total) - logGamma(sum(before))
  for (let j = 0; j < base.length; j++)
    divergence += logGamma(before[j]) - logGamma(after[j]) + (after[j] - before[j]) * logs[j]
  return { mean: after.map((a) => a / total), expected: logs.map(Math.exp), divergence }
}

function sum(values: ArrayLike<number>): number {
  let out = 0
  for (let j = 0; j < values.length; j++) out += values[j]
  return out
}
