import { describe, expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { FEATURES, given, optionsFor, right, run } from '../testing/online.js'
import { init } from './init.js'
import { onlineLogistic } from './models/logistic.js'
import type { OnlineModel } from './models/model.js'
import type { OnlineMethod } from './options.js'
import { predict } from './predict.js'
import { update } from './update.js'

const methods: OnlineMethod[] = ['calibrated', 'paper', 'rrm', 'sgd']
const all = (['logistic', 'softmax', 'linear'] as const).flatMap((model) =>
  methods.map((method) => [model, method] as const),
)
describe.each(all)('%s, %s', (model, method) => {
  const options = optionsFor(model, method)
  const batches = given(model)

  it('goes on bit for bit from a state that went through JSON', () => {
    const straight = run(options, batches)
    let state = init(options)
    for (const [t, batch] of batches.entries()) {
      const step = update(JSON.parse(JSON.stringify(state)), batch)
      state = step.state
      expect(step.result).toEqual(straight.results[t])
    }
    expect(state).toEqual(straight.state)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  })

  it('leaves state and batch as they were', () => {
    const { state } = run(options, batches.slice(0, 20))
    const before = JSON.stringify(state)
    const batch = { x: matrix(40, FEATURES, batches[20].x.values.slice()), y: batches[20].y.slice() }
    const first = update(state, batch)
    expect(JSON.stringify(state)).toBe(before)
    expect(batch.x.values).toEqual(batches[20].x.values)
    expect(batch.y).toEqual(batches[20].y)
    // Nor do results share memory with what comes later.
    const kept = JSON.stringify(first)
    update(first.state, batches[21])
    expect(JSON.stringify(first)).toBe(kept)
  })

  it('does not mind the units of a column', () => {
    const scaled = batches.map(({ x, y }) => ({
      x: matrix(
        x.rows,
        x.cols,
        x.values.map((v, k) => (k % FEATURES === 1 ? 1e4 * v + 300 : v)),
      ),
      y,
    }))
    const one = run(options, batches)
    const other = run(options, scaled)
    one.results.forEach(({ predictions, clean }, t) => {
      expectClose(other.results[t].predictions, predictions, 1e-5, 1e-6)
      expectClose(other.results[t].clean, clean, 1e-4, 1e-6)
    })
  })

  it('predicts a row without a look at the rest of its batch', () => {
    const { state } = run(options, batches.slice(0, 10))
    const { predictions } = update(state, batches[10]).result
    for (const i of [0, 17, 39]) {
      const alone = matrix(1, FEATURES, batches[10].x.values.slice(i * FEATURES, (i + 1) * FEATURES))
      expectClose(predict(state, alone).predictions, [predictions[i]], 1e-12)
    }
  })

  it('takes rows one by one, constant columns, huge values, and nothing at all', () => {
    let state = init(options)
    for (const [k, { x, y }] of batches.slice(0, 3).entries()) {
      for (let i = 0; i < 40; i++) {
        const row = x.values.slice(i * FEATURES, (i + 1) * FEATURES)
        row[2] = 7
        if (i === 20) row[1] = k === 1 ? -1.7e308 : 1.7e308
        const step = update(state, { x: matrix(1, FEATURES, row), y: y.slice(i, i + 1) })
        state = step.state
        expect(step.result.losses.every(Number.isFinite)).toBe(true)
        expect(step.result.predictions.every(Number.isFinite)).toBe(true)
      }
    }
    expect(state.learner.params.every(Number.isFinite)).toBe(true)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    const none = update(state, { x: matrix(0, FEATURES), y: new Float64Array(0) })
    expect(none.state).toEqual(state)
    expect(none.result.predictions).toHaveLength(0)
  })
})

describe('learning', () => {
  it.each(['logistic', 'softmax'] as const)(
    '%s: calibrated gets most labels right, and the share of wrong ones',
    (model) => {
      const batches = given(model, { batches: 160, rows: 50, noise: 0.2 })
      const { results } = run(optionsFor(model, 'calibrated'), batches)
      expect(right(results.slice(100), batches.slice(100))).toBeGreaterThan(
        model === 'logistic' ? 0.95 : 0.85,
      )
      const levels = results.slice(100).map((r, t) => {
        const batch = batches[100 + t]
        return Math.abs(r.level! - batch.y.filter((v, i) => v !== batch.truth[i]).length / 50)
      })
      expect(levels.reduce((a, b) => a + b, 0) / 60).toBeLessThan(0.05)
      // Wrong labels have a P(good) of less than half.
      let found = 0
      let wrong = 0
      results.slice(100).forEach(({ clean }, t) => {
        clean.forEach((p, i) => {
          if (batches[100 + t].y[i] === batches[100 + t].truth[i]) return
          wrong++
          if (p < 0.5) found++
        })
      })
      expect(found / wrong).toBeGreaterThan(0.85)
    },
  )

  it('linear: calibrated is not moved by gross outliers as plain SGD is', () => {
    const batches = given('linear', { batches: 100, noise: 0.2 })
    const error = (method: OnlineMethod): number => {
      const { results } = run(optionsFor('linear', method), batches)
      let sum = 0
      results.slice(80).forEach(({ predictions }, t) => {
        predictions.forEach((value, i) => {
          sum += (value - batches[80 + t].truth[i]) ** 2
        })
      })
      return Math.sqrt(sum / (20 * 40))
    }
    // The rule's own noise is .2, its spread is 5.
    expect(error('calibrated')).toBeLessThan(0.5)
    expect(error('sgd')).toBeGreaterThan(2 * error('calibrated'))
  })

  it('works with one class for a long time, and wakes up when the other comes', () => {
    const batches = given('logistic', { batches: 40, noise: 0 })
    const ones = batches
      .slice(0, 20)
      .map(({ x, truth }) => ({ x, y: truth.map(() => 1), truth: truth.map(() => 1) }))
    const first = run(optionsFor('logistic', 'calibrated'), ones)
    expect(right(first.results.slice(5), ones.slice(5))).toBe(1)
    const { results } = run(optionsFor('logistic', 'calibrated'), batches.slice(20), first.state)
    expect(right(results.slice(12), batches.slice(32))).toBeGreaterThan(0.9)
  })

  it('is not thrown by a column that wakes up after a long sleep', () => {
    const batches = given('logistic', { batches: 60, noise: 0 }).map(({ x, y, truth }, t) => {
      const values = x.values.map((v, k) => (k % FEATURES === 3 ? (t < 40 ? 5 : 5 + 1e3 * v) : v))
      return { x: matrix(x.rows, x.cols, values), y, truth }
    })
    for (const method of methods) {
      const { results } = run(optionsFor('logistic', method), batches)
      const before = right(results.slice(30, 40), batches.slice(30, 40))
      expect(right(results.slice(45), batches.slice(45))).toBeGreaterThan(before - 0.05)
    }
  })

  it('a model of your own learns as the built-in one does', () => {
    const { slope: _, ...rest } = onlineLogistic
    const mine: OnlineModel = { ...rest, name: 'mine' }
    const batches = given('logistic', { batches: 5 })
    for (const schedule of ['adaptive', 'optimal'] as const) {
      let [own, known] = [mine, 'logistic' as const].map((model) =>
        init({ model, features: FEATURES, schedule }),
      )
      for (const batch of batches) {
        own = update(own, batch, { model: mine }).state
        known = update(known, batch).state
      }
      expectClose([...own.learner.params], [...known.learner.params], 1e-9)
      expect(() => update(own, batches[0])).toThrow(/pass it to every call/)
      expect(() => update(known, batches[0], { model: mine })).toThrow(
        /the state began with the model 'logistic'/,
      )
    }
  })
})
