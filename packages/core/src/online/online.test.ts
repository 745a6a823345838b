import { describe, expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { logisticStream } from './models/logistic.js'
import type { StreamModel } from './models/model.js'
import { init, predict, update } from './online.js'
import type { StreamBatch, StreamMethod, StreamOptions, StreamResult, StreamState } from './state.js'

const FEATURES = 4

interface Given extends StreamBatch {
  readonly truth: Float64Array
}

/** Batches of a linear rule; with noise, a share of the responses is wrong; from batch `turn` on the rule is reversed. */
function given(
  model: 'logistic' | 'softmax' | 'linear',
  { seed = 1, batches = 30, rows = 40, noise = 0.15, turn = Number.POSITIVE_INFINITY } = {},
): Given[] {
  const random = new TestRandom(seed)
  const rule = Float64Array.from({ length: FEATURES }, (_, j) => (j % 2 === 0 ? 3 : -2))
  return Array.from({ length: batches }, (_, t) => {
    const x = matrix(
      rows,
      FEATURES,
      Float64Array.from({ length: rows * FEATURES }, () => random.normal()),
    )
    const truth = new Float64Array(rows)
    const y = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      let score = 0.2 * random.normal()
      for (let j = 0; j < FEATURES; j++) score += rule[j] * x.values[i * FEATURES + j]
      if (t >= turn) score = -score
      const wrong = random.uniform() < noise
      if (model === 'linear') [truth[i], y[i]] = [score, wrong ? 60 * random.normal() : score]
      else {
        const labels = model === 'softmax' ? 3 : 2
        truth[i] = model === 'softmax' ? (score < -2 ? 0 : score < 2 ? 1 : 2) : score > 0 ? 1 : 0
        y[i] = wrong ? (truth[i] + 1 + random.below(labels - 1)) % labels : truth[i]
      }
    }
    return { x, y, truth }
  })
}

function run(options: StreamOptions, batches: readonly StreamBatch[], from: StreamState = init(options)) {
  const results: StreamResult[] = []
  let state = from
  for (const batch of batches) {
    const step = update(state, batch)
    state = step.state
    results.push(step.result)
  }
  return { state, results }
}

const right = (results: readonly StreamResult[], batches: readonly Given[]): number => {
  let sum = 0
  let rows = 0
  results.forEach(({ predictions }, t) => {
    predictions.forEach((value, i) => {
      sum += value === batches[t].truth[i] ? 1 : 0
      rows++
    })
  })
  return sum / rows
}

const methods: StreamMethod[] = ['calibrated', 'paper', 'rrm', 'sgd']
const all = (['logistic', 'softmax', 'linear'] as const).flatMap((model) =>
  methods.map((method) => [model, method] as const),
)
const optionsFor = (model: 'logistic' | 'softmax' | 'linear', method: StreamMethod): StreamOptions => ({
  model,
  method,
  features: FEATURES,
  ...(model === 'softmax' ? { classes: 3 } : {}),
})

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
      // P(good) tells: wrong labels have less than half.
      let told = 0
      let wrong = 0
      results.slice(100).forEach(({ clean }, t) => {
        clean.forEach((p, i) => {
          if (batches[100 + t].y[i] === batches[100 + t].truth[i]) return
          wrong++
          if (p < 0.5) told++
        })
      })
      expect(told / wrong).toBeGreaterThan(0.85)
    },
  )

  it('linear: calibrated is not moved by gross outliers as plain descent is', () => {
    const batches = given('linear', { batches: 100, noise: 0.2 })
    const error = (method: StreamMethod): number => {
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
    const { slope: _, ...rest } = logisticStream
    const mine: StreamModel = { ...rest, name: 'mine' }
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
      expect(() => update(own, batches[0])).toThrow(/pass the model itself to every call/)
      expect(() => update(known, batches[0], { model: mine })).toThrow(
        /the stream began with the model 'logistic'/,
      )
    }
  })
})

describe('drift and corruption', () => {
  it('a reversed rule is followed and told as drift', () => {
    const batches = given('logistic', { batches: 50, rows: 100, turn: 25, seed: 2 })
    const { results } = run(optionsFor('logistic', 'calibrated'), batches)
    const told = results.filter(({ event }) => event.kind !== 'none')
    expect(told.map(({ event }) => event.kind)).toEqual(['drift'])
    expect(told[0].batch).toBeGreaterThan(25)
    expect(told[0].batch).toBeLessThanOrEqual(30)
    expect(right(results.slice(35), batches.slice(35))).toBeGreaterThan(0.93)
    // Without the watch the old rule would be held up against the new one.
    const stubborn = run({ ...optionsFor('logistic', 'calibrated'), drift: false }, batches)
    expect(right(stubborn.results.slice(25, 35), batches.slice(25, 35))).toBeLessThan(0.5)
  })

  it('a burst of wrong labels is told as corruption and not learned', () => {
    const quiet = given('logistic', { batches: 80, rows: 100, seed: 3 })
    const loud = given('logistic', { batches: 80, rows: 100, seed: 3, noise: 0.45 })
    const batches = quiet.map((batch, t) => (t >= 25 && t < 35 ? loud[t] : batch))
    const { results } = run(optionsFor('logistic', 'calibrated'), batches)
    const told = results.filter(({ event }) => event.kind !== 'none')
    expect(told.map(({ event }) => event.kind)).toEqual(['corruption'])
    expect(results[30].suspicious).toBe(true)
    expect(results[79].suspicious).toBe(false)
    const undisturbed = run(optionsFor('logistic', 'calibrated'), quiet)
    const cost =
      right(undisturbed.results.slice(35), quiet.slice(35)) - right(results.slice(35), batches.slice(35))
    expect(cost).toBeLessThan(0.02)
  })
})
