import type { Differentiable, Discrete, Informative } from '../likelihoods/capabilities.js'
import type { Params } from '../likelihoods/likelihood.js'
import { mustBeClose } from './assert.js'
import { type Law, type LikelihoodCases, law } from './law.js'
import { lossesOf } from './rows.js'

/** `gradients`, where they are by the free numbers. */
export function gradientLaws<D, P extends Params>(
  likelihood: Differentiable<D, P>,
  cases: LikelihoodCases<D, P>,
): Law[] {
  return [
    law('the gradients of the losses equal finite differences', 5, (random) => {
      const data = cases.sample(random)
      const params = likelihood.fit(data)
      const free = cases.free(params)
      const { rows, cols, values } = likelihood.gradients(data, params)
      for (let j = 0; j < cols; j++) {
        const h = 1e-5 * (1 + Math.abs(free[j]))
        const [up, down] = [free.slice(), free.slice()]
        up[j] += h
        down[j] -= h
        const above = lossesOf(likelihood, data, cases.withFree(params, up))
        const below = lossesOf(likelihood, data, cases.withFree(params, down))
        const slopes = above.map((l, i) => (l - below[i]) / (2 * h))
        const column = Float64Array.from({ length: rows }, (_, i) => values[i * cols + j])
        mustBeClose(`gradients by free number ${j}`, column, slopes, 1e-4, 1e-4)
      }
    }),
  ]
}

/** `information` and `unflatten`. */
export function informationLaws<D, P extends Params>(
  likelihood: Informative<D, P>,
  cases: LikelihoodCases<D, P>,
): Law[] {
  return [
    law('the information is a symmetric matrix, a row for each entry of the vector', 5, (random) => {
      const data = cases.sample(random)
      const params = likelihood.fit(data)
      const weights = Float64Array.from({ length: likelihood.rows(data) }, () => random.uniform(0, 1))
      const { rows, cols, values } = likelihood.information(data, params, weights)
      const size = likelihood.vector(params).length
      mustBeClose('rows and columns', [rows, cols], [size, size], 0, 0)
      const transposed = values.map((_, k) => values[(k % cols) * cols + Math.floor(k / cols)])
      mustBeClose('the information', values, transposed, 0, 0)
    }),

    law('unflatten gives the vector the names that it has in the parameters', 5, (random) => {
      const params = likelihood.fit(cases.sample(random))
      const shaped = numbersOf(likelihood.unflatten(likelihood.vector(params)))
      if (shaped.size === 0) throw new Error('unflatten must return an object with numbers')
      const named = numbersOf(params)
      for (const [name, numbers] of shaped) mustBeClose(name, numbers, named.get(name) ?? [], 0, 0)
    }),
  ]
}

/** The numbers of an object of numbers, typed arrays and matrices, by name. */
function numbersOf(object: unknown): Map<string, ArrayLike<number>> {
  const out = new Map<string, ArrayLike<number>>()
  for (const [name, value] of Object.entries(object ?? {})) {
    if (typeof value === 'number') out.set(name, [value])
    else if (ArrayBuffer.isView(value)) out.set(name, value as Float64Array)
    else if (typeof value === 'object' && value !== null && 'values' in value) out.set(name, value.values)
  }
  return out
}

/** The share of corrupted rows at which the mixture is looked at. */
const LEVEL = 0.2

/** `information` against the mixture with the `reference`. */
export function mixtureLaws<D, P extends Params>(
  likelihood: Discrete<D, P>,
  cases: LikelihoodCases<D, P>,
): Law[] {
  return [
    law('the information is the curvature of the mixture by finite differences', 10, (random) => {
      const data = cases.sample(random)
      const params = likelihood.fit(data)
      const references = new Float64Array(likelihood.rows(data))
      likelihood.reference(data, params, references)
      const good = (l: number, i: number): number => (1 - LEVEL) * Math.exp(references[i] - l)
      const value = (p: P): number =>
        lossesOf(likelihood, data, p).reduce((sum, l, i) => sum - Math.log(good(l, i) + LEVEL), 0)
      const weights = lossesOf(likelihood, data, params).map((l, i) => good(l, i) / (good(l, i) + LEVEL))
      const information = likelihood.information(data, params, weights)
      const free = cases.free(params)
      const along = free.map(() => 1e-3 * random.normal())
      const moved = (sign: number): P => {
        const next = free.map((f, j) => f + sign * along[j])
        return cases.withFree(params, next)
      }
      const [up, down] = [moved(1), moved(-1)]
      const [above, below] = [likelihood.vector(up), likelihood.vector(down)]
      const step = above.map((a, j) => (a - below[j]) / 2)
      let quadratic = 0
      for (let j = 0; j < step.length; j++)
        for (let k = 0; k < step.length; k++)
          quadratic += information.values[j * step.length + k] * step[j] * step[k]
      const curvature = value(up) - 2 * value(params) + value(down)
      mustBeClose('the quadratic form of a step', [quadratic], [curvature], 1e-3, 1e-9)
    }),
  ]
}
