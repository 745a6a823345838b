import type { Supervised } from '../likelihoods/likelihood.js'
import { type Matrix, matrix } from '../matrix.js'
import { TestRandom } from './random.js'

/** Of the true class c, how often each label is given. */
export type Rates = ReadonlyArray<readonly number[]>

export const PAIRFLIP: Rates = [
  [0.75, 0.25, 0],
  [0, 0.75, 0.25],
  [0.25, 0, 0.75],
]

/** Labels drawn from a softmax model of normal features, and given wrongly by the rates. */
export function drawn(
  seed: number,
  n: number,
  rates: Rates,
  sharp = 3,
): { data: Supervised; truth: Float64Array } {
  const random = new TestRandom(seed)
  const x = matrix(n, 2)
  const truth = new Float64Array(n)
  const y = new Float64Array(n)
  const pick = (p: readonly number[]): number => {
    let u = random.uniform()
    const found = p.findIndex((share) => {
      u -= share
      return u < 0
    })
    return found < 0 ? p.length - 1 : found
  }
  for (let i = 0; i < n; i++) {
    x.values.set([random.normal(), random.normal()], 2 * i)
    const [a, b] = [x.values[2 * i], x.values[2 * i + 1]]
    // Classes lie about the centre like slices of a cake.
    const etas = rates.map((_, c) => {
      const angle = (2 * Math.PI * c) / rates.length
      return sharp * (Math.cos(angle) * a + Math.sin(angle) * b)
    })
    const sum = etas.reduce((total, eta) => total + Math.exp(eta), 0)
    truth[i] = pick(etas.map((eta) => Math.exp(eta) / sum))
    y[i] = pick(rates[truth[i]])
  }
  return { data: { x, y }, truth }
}

/** P(class) as good as certain, of classes in turn. */
export function certain(n: number, K: number): Matrix {
  const p = matrix(n, K, new Float64Array(n * K).fill(1e-9))
  for (let i = 0; i < n; i++) p.values[i * K + (i % K)] = 1 - (K - 1) * 1e-9
  return p
}

export const rowsOf = (T: Matrix): number[][] =>
  Array.from({ length: T.rows }, (_, c) => [...T.values.subarray(c * T.cols, (c + 1) * T.cols)])

/** With the classes renamed: c becomes names[c]. */
export function renamed(T: Matrix, names: readonly number[]): Matrix {
  const K = T.cols
  const out = matrix(K, K)
  for (let c = 0; c < K; c++)
    for (let y = 0; y < K; y++) out.values[names[c] * K + names[y]] = T.values[c * K + y]
  return out
}
