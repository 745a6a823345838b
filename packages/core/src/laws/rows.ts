import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import type { Draws } from '../random/draws.js'
import { mustBeClose } from './assert.js'
import { type Law, type LikelihoodCases, law } from './law.js'

export function lossesOf<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  params: P,
): Float64Array {
  const out = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, params, out)
  return out
}

/** What weights and the order of rows mean. */
export function rowLaws<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  { sample, take, free }: LikelihoodCases<D, P>,
): Law[] {
  return [
    law('weight k equals k copies', 20, (random) => {
      const data = sample(random)
      const weights = Float64Array.from({ length: likelihood.rows(data) }, () => 1 + below(random, 3))
      const copies = Array.from(weights).flatMap((k, i) => Array<number>(k).fill(i))
      const weighted = likelihood.fit(data, weights)
      const copied = likelihood.fit(take(data, copies))
      mustBeClose('the weighted fit', free(weighted), free(copied), 1e-6, 1e-7)
    }),

    law('weight 0 equals absence', 20, (random) => {
      const data = sample(random)
      const n = likelihood.rows(data)
      const kept = Array.from({ length: n }, (_, i) => i).filter(() => random.uniform(0, 1) < 0.8)
      const weights = new Float64Array(n)
      for (const i of kept) weights[i] = 1
      const without = likelihood.fit(take(data, kept))
      mustBeClose('the weighted fit', free(likelihood.fit(data, weights)), free(without), 1e-6, 1e-7)
    }),

    law('permuting the rows permutes the answer', 20, (random) => {
      const data = sample(random)
      const order = shuffled(random, likelihood.rows(data))
      const params = likelihood.fit(data)
      const permuted = take(data, order)
      mustBeClose('the fit', free(likelihood.fit(permuted)), free(params), 1e-6, 1e-7)
      const losses = lossesOf(likelihood, data, params)
      const expected = Array.from(order, (i) => losses[i])
      mustBeClose('the losses', lossesOf(likelihood, permuted, params), expected, 1e-9, 1e-12)
    }),
  ]
}

function below(random: Draws, n: number): number {
  return Math.floor(random.uniform(0, n))
}

/** 0 .. n - 1 in a random order. */
function shuffled(random: Draws, n: number): Int32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i)
  for (let i = n - 1; i > 0; i--) {
    const j = below(random, i + 1)
    const other = order[j]
    order[j] = order[i]
    order[i] = other
  }
  return order
}
