import { describe, expect, it } from 'vitest'
import { type LawfulOnlineModel, onlineModelLaws } from '../../laws/online-model.js'
import { matrix } from '../../matrix.js'
import { expectClose } from '../../testing/close.js'
import { TestRandom } from '../../testing/random.js'
import { predictedRoom } from '../plain.js'
import { onlineLinear } from './linear.js'
import { onlineLogistic } from './logistic.js'
import { onlineSoftmax } from './softmax.js'

/** The laws pass a model to every call, as a user does his own, which needs a name of its own. */
const lawful: Record<string, LawfulOnlineModel> = {
  logistic: {
    model: { ...onlineLogistic, name: 'lawful' },
    response: (f, random) => (f > 0 !== random.uniform(0, 1) < 0.1 ? 1 : 0),
  },
  softmax: {
    model: { ...onlineSoftmax(3), name: 'lawful' },
    response: (f, random) => (random.uniform(0, 1) < 0.1 ? 1 : f < -0.4 ? 0 : f < 0.4 ? 1 : 2),
  },
  linear: {
    model: { ...onlineLinear, name: 'lawful' },
    response: (f, random) => (random.uniform(0, 1) < 0.1 ? 30 : 5 * f) * (1 + 0.1 * random.normal()),
    // Far out, where 1 - 1e-5 of Student's t is.
    support: { from: -2000, to: 2000, step: 0.01, tail: 1e-4 },
  },
}

describe.each(Object.entries(lawful))('%s', (_, one) => {
  it.each(onlineModelLaws(one).map(({ name, check }) => [name, check] as const))('%s', (__, check) => {
    check()
  })
})

it('softmax with two labels is logistic regression', () => {
  const random = new TestRandom(4)
  const normals = (n: number) => Float64Array.from({ length: n }, () => random.normal())
  const [rows, features] = [6, 5]
  const two = onlineSoftmax(2)
  const x = matrix(rows, features, normals(rows * features))
  const y = Float64Array.from({ length: rows }, () => random.below(2))
  const params = normals(two.parameters(features))
  const difference = Float64Array.from(
    { length: features + 1 },
    (_, j) => params[features + 1 + j] - params[j],
  )
  const [a, b] = [[two, params] as const, [onlineLogistic, difference] as const].map(([model, at]) => {
    const predicted = predictedRoom(model, rows)
    const out = new Float64Array(rows)
    model.predict(x, at, predicted)
    model.losses(y, at, predicted, out)
    return out
  })
  expectClose(a, b, 1e-12)
})

describe('laws that do not hold', () => {
  const { model, response } = lawful.linear
  const failing = (broken: typeof model): string[] =>
    onlineModelLaws({ ...lawful.linear, model: broken, response })
      .filter(({ check }) => {
        try {
          check()
          return false
        } catch {
          return true
        }
      })
      .map(({ name }) => name)

  it('a gradient of another sign is found', () => {
    const gradient: typeof model.gradient = (x, y, row, params, out) => {
      model.gradient(x, y, row, params, out)
      out[0] = -out[0]
    }
    expect(failing({ ...model, gradient })).toContain('its gradients are the differences of its losses')
  })

  it('a density that lacks its constant is found', () => {
    const losses: typeof model.losses = (y, params, predicted, out) => {
      model.losses(y, params, predicted, out)
      for (let i = 0; i < out.length; i++) out[i] -= 1
    }
    expect(failing({ ...model, losses })).toEqual(['its densities add up to 1'])
  })

  it('a model that keeps a state of its own is found', () => {
    let calls = 0
    const predict: typeof model.predict = (x, params, out) => {
      model.predict(x, params, out)
      calls++
      for (let i = 0; i < out.values.length; i++) out.values[i] += 1e-3 * (calls % 7)
    }
    expect(failing({ ...model, predict })).toContain('the same rows give the same result')
  })
})
