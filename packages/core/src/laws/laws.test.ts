import { describe, expect, it } from 'vitest'
import type { Supervised } from '../likelihoods/likelihood.js'
import { type LinearRegressionParams, linear } from '../likelihoods/linear.js'
import { logistic } from '../likelihoods/logistic.js'
import { matrix, takeRows } from '../matrix.js'
import type { LikelihoodCases } from './law.js'
import { likelihoodLaws } from './likelihood.js'

const model = linear()

const cases: LikelihoodCases<Supervised, LinearRegressionParams> = {
  sample(random) {
    const x = matrix(30, 1)
    for (let i = 0; i < 30; i++) x.values[i] = random.normal()
    return { x, y: x.values.map((v) => 2 * v + 1 + random.normal()) }
  },
  take: ({ x, y }, rows) => ({ x: takeRows(x, rows), y: Float64Array.from(rows, (i) => y[i]) }),
  free: model.vector,
  withFree: (p, free) => ({ ...p, intercept: free[0], coefficients: free.slice(1) }),
  holdScale: (p, held) => ({ ...p, scale: held.scale }),
  gradientsByFree: true,
}

/** Which laws a likelihood breaks, with what they say. */
function broken(likelihood: typeof model): string[] {
  return likelihoodLaws(likelihood, cases).flatMap(({ check }) => {
    try {
      check()
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
}

describe('the laws', () => {
  it('hold for a likelihood that is right', () => {
    expect(broken(model)).toEqual([])
  })

  it('catch a fit that ignores its weights', () => {
    const messages = broken({ ...model, fit: (data) => model.fit(data) })
    expect(messages[0]).toMatch(
      /^weight k equals k copies: the weighted fit, entry 0: \S+ is not within 0\.000001 \(relative\) or 1e-7 of \S+ \(sample 0\)$/,
    )
    expect(messages[1]).toMatch(/^weight 0 equals absence/)
  })

  it('catch a fit that is not the best', () => {
    const off = broken({
      ...model,
      fit(data, weights, start) {
        const params = model.fit(data, weights, start)
        return { ...params, intercept: params.intercept + 0.01 }
      },
    })
    expect(off.some((message) => message.startsWith('the fit minimises the weighted losses'))).toBe(true)
  })

  it('catch losses that depend on the place of a row', () => {
    const messages = broken({
      ...model,
      losses(data, params, out) {
        model.losses(data, params, out)
        out[0] += 1
      },
    })
    expect(messages.some((message) => message.includes('permutes the answer: the losses'))).toBe(true)
  })

  it.each([
    ['gradients', { gradients: () => matrix(30, 2) }, 'the gradients of the losses equal finite differences'],
    ['shape', { information: () => matrix(1, 1) }, 'the information is a symmetric matrix'],
    ['names', { unflatten: () => ({ intercept: 1, coefficients: Float64Array.of(5) }) }, 'unflatten gives'],
    ['scale', { rescale: (p: LinearRegressionParams) => p }, 'a scale f times as large'],
    [
      'units',
      { squaredDistances: (_: unknown, __: unknown, out: Float64Array) => void out.fill(2) },
      'a scale f',
    ],
  ])('catch wrong %s', (_, wrong, law) => {
    const messages = broken({ ...model, ...wrong })
    expect(messages.some((message) => message.startsWith(law))).toBe(true)
  })

  it('catch an information that is not the curvature of the mixture', () => {
    const right = logistic()
    const wrong = {
      ...right,
      information: (...all: Parameters<typeof right.information>) => double(right.information(...all)),
    }
    const law = likelihoodLaws(wrong, {
      ...cases,
      sample: (random) => {
        const { x } = cases.sample(random)
        return { x, y: x.values.map((v) => (v + random.normal() > 0 ? 1 : 0)) }
      },
      free: right.vector,
      withFree: (p, free) => ({ ...p, intercept: free[0], coefficients: free.slice(1) }),
      holdScale: (p) => p,
    }).find(({ name }) => name.startsWith('the information is the curvature'))
    expect(law!.check).toThrow('the quadratic form of a step')
  })
})

function double({ rows, cols, values }: ReturnType<typeof matrix>) {
  return matrix(
    rows,
    cols,
    values.map((v) => 2 * v),
  )
}
