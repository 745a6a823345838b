import { describe, expect, it } from 'vitest'
import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params, Supervised } from '../../../likelihoods/likelihood.js'
import { digamma, logGamma } from '../../../likelihoods/log-gamma.js'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { fromRows, type Matrix, matrix, takeRows } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import type { Fit } from '../../../result.js'
import { expectClose } from '../../../testing/close.js'
import { TestRandom } from '../../../testing/random.js'
import { pathsFrom } from './habits.js'
import type { Classed } from './labelled.js'
import { learnHabits } from './learn-habits.js'
import { leaveOneOutClasses } from './leave-one-out-classes.js'
import { levelOf } from './level.js'
import { noiseAt, noiseThrough, posteriorOf, uniformNoise } from './noise.js'
import { fitThroughNoise } from './through-noise.js'

/** Of the true class c, how often each label is given. */
type Rates = ReadonlyArray<readonly number[]>

const PAIRFLIP: Rates = [
  [0.75, 0.25, 0],
  [0, 0.75, 0.25],
  [0.25, 0, 0.75],
]

/** Labels drawn from a softmax model of normal features, and given wrongly by the rates. */
function drawn(seed: number, n: number, rates: Rates, sharp = 3): { data: Supervised; truth: Float64Array } {
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
function certain(n: number, K: number): Matrix {
  const p = matrix(n, K, new Float64Array(n * K).fill(1e-9))
  for (let i = 0; i < n; i++) p.values[i * K + (i % K)] = 1 - (K - 1) * 1e-9
  return p
}

const rowsOf = (T: Matrix): number[][] =>
  Array.from({ length: T.rows }, (_, c) => [...T.values.subarray(c * T.cols, (c + 1) * T.cols)])

/** With the classes renamed: c becomes names[c]. */
function renamed(T: Matrix, names: readonly number[]): Matrix {
  const K = T.cols
  const out = matrix(K, K)
  for (let c = 0; c < K; c++)
    for (let y = 0; y < K; y++) out.values[names[c] * K + names[y]] = T.values[c * K + y]
  return out
}

describe('the posterior', () => {
  it('is p(c) T[c, y] over its sum', () => {
    const p = fromRows([
      [0.5, 0.3, 0.2],
      [0.1, 0.1, 0.8],
    ])
    const { posterior, logs } = posteriorOf(p, Float64Array.of(1, 2), fromRows(PAIRFLIP))
    // By hand: 0.5 x 0.25 and 0.3 x 0.75; 0.1 x 0.25 and 0.8 x 0.75.
    expectClose(
      posterior.values,
      [0.125 / 0.35, 0.225 / 0.35, 0, 0, 0.025 / 0.625, 0.6 / 0.625],
      1e-12,
      1e-15,
    )
    expectClose(logs, [Math.log(0.35), Math.log(0.625)], 1e-12)
  })

  it('gives the given labels back where none is wrong', () => {
    const random = new TestRandom(1)
    const p = fromRows(
      Array.from({ length: 20 }, () => [random.uniform(), random.uniform(), random.uniform()]),
    )
    const given = Float64Array.from({ length: 20 }, () => random.below(3))
    const { posterior } = posteriorOf(p, given, noiseAt(uniformNoise(3), 0))
    given.forEach((label, i) => {
      expect(posterior.values[i * 3 + label]).toBe(1)
    })
  })

  it('is that of the features where no class explains the label', () => {
    const { posterior } = posteriorOf(fromRows([[1, 0]]), Float64Array.of(1), noiseAt(uniformNoise(2), 0))
    expect([...posterior.values]).toEqual([1, 0])
  })
})

describe('noise', () => {
  it('through a matrix passes through it, and through none', () => {
    const T = fromRows(PAIRFLIP)
    const noise = noiseThrough(T, Float64Array.of(0.2, 0.3, 0.5))
    expectClose(noise.most, 2 / 3, 1e-12)
    expectClose(noiseAt(noise, 0.25 / noise.most).values, T.values, 1e-12, 1e-15)
    expectClose(noiseAt(noise, 0).values, [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-12)
    for (const row of rowsOf(noise.habits))
      expectClose(
        row.reduce((a, b) => a + b),
        1,
        1e-12,
      )
  })
})

describe('habits learned from P(class)', () => {
  it('are the shares of labels where classes are certain, drawn a little towards uniform noise', () => {
    const n = 3000
    const p = certain(n, 3)
    // Of every class 1000 rows: one in four is labelled as the next class.
    const given = Float64Array.from({ length: n }, (_, i) =>
      Math.floor(i / 3) % 4 === 0 ? (i + 1) % 3 : i % 3,
    )
    const { T, gain, shares } = learnHabits(p, given)
    expectClose(T.values, fromRows(PAIRFLIP).values, 0.01, 0.01)
    expectClose(shares, [1 / 3, 1 / 3, 1 / 3], 1e-3)
    // 750 wrong labels are twice as probable as uniform ones would be, less what is paid.
    expect(gain).toBeGreaterThan(0.9 * 750 * Math.LN2)
  })

  it('are none where every label is right, and no more than chance where noise is uniform', () => {
    const p = certain(300, 3)
    const right = learnHabits(
      p,
      Float64Array.from({ length: 300 }, (_, i) => i % 3),
    )
    expect(right.gain).toBeLessThan(1)
    for (let c = 0; c < 3; c++) expect(right.T.values[c * 4]).toBeGreaterThan(0.99)
    const random = new TestRandom(4)
    const given = Float64Array.from({ length: 300 }, (_, i) =>
      random.uniform() < 0.3 ? random.below(3) : i % 3,
    )
    expect(learnHabits(p, given).gain).toBeLessThan(3)
  })

  it('find rates that differ between two classes', () => {
    const given = Float64Array.from({ length: 2000 }, (_, i) => (i % 10 === 0 ? 1 : i % 2))
    const { T, gain } = learnHabits(certain(2000, 2), given)
    // Every fifth row of class 0, and none of class 1.
    expectClose(T.values, [0.8, 0.2, 0, 1], 0.01, 0.01)
    expect(gain).toBeGreaterThan(50)
  })

  it('are permuted where classes are', () => {
    const { data } = drawn(7, 300, PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 1 })
    const p = model.classes!.probabilities(data, model.fit(data))
    const names = [2, 0, 1]
    const other = matrix(p.rows, 3)
    for (let i = 0; i < p.rows; i++)
      for (let c = 0; c < 3; c++) other.values[i * 3 + names[c]] = p.values[i * 3 + c]
    const a = learnHabits(p, data.y)
    const b = learnHabits(
      other,
      data.y.map((label) => names[label]),
    )
    expectClose(b.T.values, renamed(a.T, names).values, 1e-9, 1e-12)
    expectClose(b.gain, a.gain, 1e-9, 1e-9)
  })

  it('count a row of weight k like k rows', () => {
    const { data } = drawn(8, 120, PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 1 })
    const p = model.classes!.probabilities(data, model.fit(data))
    const weights = Float64Array.from({ length: 120 }, (_, i) => 1 + (i % 3))
    const copies = Array.from(weights).flatMap((k, i) => Array<number>(k).fill(i))
    const weighted = learnHabits(p, data.y, weights)
    const copied = learnHabits(
      takeRows(p, copies),
      Float64Array.from(copies, (i) => data.y[i]),
    )
    expectClose(weighted.T.values, copied.T.values, 1e-8, 1e-10)
    expectClose(weighted.gain, copied.gain, 1e-8, 1e-8)
  })

  it('have the row of the prior for a class that is never predicted', () => {
    const n = 600
    const p = matrix(n, 3)
    for (let i = 0; i < n; i++) p.values[i * 3 + (i % 2)] = 1
    const given = Float64Array.from({ length: n }, (_, i) => (i % 10 === 0 ? 2 : i % 2))
    const { T } = learnHabits(p, given)
    const rows = rowsOf(T)
    for (const row of rows)
      expectClose(
        row.reduce((a, b) => a + b),
        1,
        1e-9,
      )
    // Its labels go wrong as often as all do, and as any other.
    expectClose(rows[2][0], rows[2][1], 1e-9)
    expectClose(rows[2][2], 0.9, 0.03)
  })
})

describe('what they rest on', () => {
  it.each([
    ['softmax', softmax({ classes: 3, ridge: 0.5 }) as unknown as Classed<Supervised, Params>],
    ['logistic', logistic({ ridge: 0.5 }) as unknown as Classed<Supervised, Params>],
  ])(
    '%s: the information is the curvature of the labels’ loss through T, by finite differences',
    (name, model) => {
      const K = name === 'softmax' ? 3 : 2
      const rates = K === 3 ? PAIRFLIP : PAIRFLIP.slice(0, 2).map((row) => [row[0] + row[2], row[1]])
      const T = fromRows(
        K === 3
          ? PAIRFLIP
          : [
              [0.8, 0.2],
              [0.1, 0.9],
            ],
      )
      const { data } = drawn(3, 60, rates)
      const given = model.classes.given(data)
      const params = model.fit(data)
      const loss = (vector: Float64Array): number => {
        const at = model.unflatten(vector) as Params
        const { logs } = posteriorOf(model.classes.probabilities(data, at), given, T)
        return model.prior!.penalty(at) - logs.reduce((a, b) => a + b, 0)
      }
      const vector = model.vector(params)
      const { posterior } = posteriorOf(model.classes.probabilities(data, params), given, T)
      const information = model.classes.information(data, params, posterior)
      const random = new TestRandom(9)
      for (let trial = 0; trial < 5; trial++) {
        // Classes' coefficients sum to 0, so steps do.
        const step = vector.map(() => 1e-3 * random.normal())
        if (K === 3) centre(step, K)
        const moved = (sign: number): number => loss(vector.map((v, j) => v + sign * step[j]))
        let quadratic = 0
        for (let j = 0; j < step.length; j++)
          for (let k = 0; k < step.length; k++)
            quadratic += information.values[j * step.length + k] * step[j] * step[k]
        expectClose(quadratic, moved(1) - 2 * moved(0) + moved(-1), 1e-3, 1e-9)
      }
    },
  )

  it('P(class) without a row is that of a fit without it, to first order', () => {
    const { data } = drawn(5, 60, PAIRFLIP)
    const T = fromRows(PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 1 }) as Classed<Supervised, Params>
    const em = { maxIterations: 200, tolerance: 1e-9 }
    const full = fitThroughNoise(model, data, model.fit(data), T, em)
    const inside = model.classes.probabilities(data, full.params)
    const outside = leaveOneOutClasses(model, data, full.params, full.posterior)
    let [without, naive] = [0, 0]
    for (let i = 0; i < 60; i++) {
      const others = model.take(
        data,
        Array.from({ length: 60 }, (_, j) => j).filter((j) => j !== i),
      )
      const refitted = fitThroughNoise(model, others, full.params, T, em)
      const exact = model.classes.probabilities(model.take(data, [i]), refitted.params)
      for (let c = 0; c < 3; c++) {
        without += Math.abs(outside.values[i * 3 + c] - exact.values[c])
        naive += Math.abs(inside.values[i * 3 + c] - exact.values[c])
      }
    }
    expect(without).toBeLessThan(0.35 * naive)
  })

  it('the likelihood through T never falls', () => {
    const { data } = drawn(6, 100, PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 0.1 }) as Classed<Supervised, Params>
    let params = model.fit(data)
    let before = Number.NEGATIVE_INFINITY
    for (let step = 0; step < 20; step++) {
      const next = fitThroughNoise(model, data, params, fromRows(PAIRFLIP), {
        maxIterations: 2,
        tolerance: 0,
      })
      expect(next.value).toBeGreaterThanOrEqual(before - 1e-6)
      before = next.value
      params = next.params
    }
  })

  it('digamma is the slope of log Gamma', () => {
    // Euler's constant.
    expectClose(digamma(1), -0.5772156649015329, 1e-12)
    for (const z of [0.01, 0.3, 2, 7.5, 40, 1e4]) {
      expectClose(digamma(z + 1), digamma(z) + 1 / z, 1e-10)
      const h = 1e-5 * z
      expectClose(digamma(z), (logGamma(z + h) - logGamma(z - h)) / (2 * h), 1e-5, 1e-6)
    }
  })
})

describe('the level of several kinds of noise', () => {
  const levels = [0, 0.1, 0.2, 0.3, 0.4]
  const peak = (at: number, height: number): number[] => levels.map((l) => height - 500 * (l - at) ** 2)
  const uniform = { kind: 'uniform', levels, logEvidence: peak(0.1, 0) } as const
  const learnedAt = (at: number, height: number) =>
    ({ kind: 'learned', levels, logEvidence: peak(at, height) }) as const

  it('is that of uniform noise where another is far behind', () => {
    const alone = levelOf([uniform], 0)
    const both = levelOf([uniform, learnedAt(0.3, -60)], 0)
    expectClose([both.level, ...both.interval], [alone.level, ...alone.interval], 1e-9)
    expect(both.kind).toBe('uniform')
  })

  it('has both in its interval where neither is clearly better', () => {
    const { level, interval, kind } = levelOf([uniform, learnedAt(0.3, 0)], 0)
    expect(kind).toBe('uniform')
    expectClose(level, 0.1, 0.05)
    expect(interval[0]).toBeLessThan(0.1)
    expect(interval[1]).toBeGreaterThan(0.3)
  })

  it('is that of the other where it is clearly better, unless rows are too few to tell', () => {
    const learned = learnedAt(0.3, 20)
    const clear = levelOf([uniform, learned], 0)
    expect(clear.kind).toBe('learned')
    expectClose(clear.level, 0.3, 0.05)
    expect(clear.interval[0]).toBeGreaterThan(0.15)
    const few = levelOf([uniform, learned], 0.5)
    expect(few.kind).toBe('uniform')
    expectClose(few.level, 0.1, 0.2)
    expect(few.interval[1]).toBeGreaterThan(0.3)
  })
})

describe('fit', () => {
  const three = (data: Supervised): Fit<Params> =>
    fit(softmax({ classes: 3, ridge: 0.01 }) as Discrete<Supervised, Params>, data)

  it('finds habits, and the labels that they made wrong', () => {
    const { data, truth } = drawn(11, 400, PAIRFLIP)
    const { clean, corruption, standardErrors } = three(data)
    const wrong = truth.filter((label, i) => label !== data.y[i]).length / truth.length
    expect(corruption.interval![0]).toBeLessThan(wrong)
    expect(corruption.interval![1]).toBeGreaterThan(wrong)
    // Three standard errors of a share of a quarter in 130 rows.
    expectClose(corruption.habits!.values, fromRows(PAIRFLIP).values, 0, 0.115)
    const { clean: uniformly } = fit(withoutClasses(), data)
    expect(areaUnderCurve(clean, truth, data.y)).toBeGreaterThan(
      areaUnderCurve(uniformly, truth, data.y) + 0.005,
    )
    expect(standardErrors).toBeDefined()
  })

  it('finds none in uniform noise, and there is nearly as it was', () => {
    const uniform: Rates = PAIRFLIP.map((_, c) => [0, 1, 2].map((y) => (y === c ? 0.8 : 0.1)))
    for (const seed of [21, 22]) {
      const { data } = drawn(seed, 200, uniform)
      const found = three(data)
      expect(found.corruption.habits).toBeUndefined()
      // What is not likely has a little weight in the mean level.
      expectClose(found.clean, Array.from(fit(withoutClasses(), data).clean), 0, 0.005)
    }
  })

  it('says that the share of very many wrong labels is hard to tell', () => {
    const many: Rates = [0, 1, 2].map((c) => [0, 1, 2].map((y) => (y === c ? 0.55 : 0.225)))
    const { corruption, cautions } = three(drawn(41, 400, many, 8).data)
    expect(corruption.level).toBeGreaterThan(0.3)
    expect(cautions!.map(({ about }) => about)).toContain('level')
    const few = three(drawn(42, 400, PAIRFLIP, 8).data)
    expect(few.cautions ?? []).toEqual([])
  })

  it('finds no wrong label in clean data', () => {
    const clean: Rates = PAIRFLIP.map((_, c) => [0, 1, 2].map((y) => (y === c ? 1 : 0)))
    for (const seed of [31, 32, 33]) {
      const { corruption } = three(drawn(seed, 200, clean, 8).data)
      expect(corruption.habits).toBeUndefined()
      expect(corruption.level).toBe(0)
      expect(corruption.interval![0]).toBe(0)
    }
  })

  it('is the same in another order of rows, in other units, and with classes renamed', () => {
    const { data } = drawn(12, 120, PAIRFLIP, 5)
    const a = three(data)
    const order = new TestRandom(1).order(120)
    const b = three({ x: takeRows(data.x, order), y: Float64Array.from(order, (i) => data.y[i]) })
    expectClose(b.corruption.level!, a.corruption.level!, 1e-3)
    expectClose(b.corruption.habits!.values, a.corruption.habits!.values, 1e-2, 1e-3)
    expectClose(
      b.clean,
      Array.from(order, (i) => a.clean[i]),
      1e-2,
      2e-3,
    )
    const names = [1, 2, 0]
    const c = three({ x: data.x, y: data.y.map((label) => names[label]) })
    expectClose(c.corruption.level!, a.corruption.level!, 1e-2)
    expectClose(c.corruption.habits!.values, renamed(a.corruption.habits!, names).values, 1e-2, 2e-3)
    // A ridge of the user's own is in units: without one.
    const free = softmax({ classes: 3 })
    const scaled = matrix(
      120,
      2,
      data.x.values.map((v, k) => v * (k % 2 === 0 ? 1000 : 0.03)),
    )
    const d = fit(free, data)
    const e = fit(free, { x: scaled, y: data.y })
    expectClose(e.corruption.level!, d.corruption.level!, 1e-3)
    expectClose(e.clean, d.clean, 1e-2, 2e-3)
  })

  it('tells two classes’ rates apart where many rows are certain', () => {
    const { data, truth } = drawn(13, 600, [
      [0.75, 0.25],
      [0, 1],
    ])
    const { corruption } = fit(logistic(), data)
    expectClose(corruption.habits!.values, [0.75, 0.25, 0, 1], 0, 0.1)
    const wrong = truth.filter((label, i) => label !== data.y[i]).length / truth.length
    expect(corruption.interval![0]).toBeLessThan(wrong)
    expect(corruption.interval![1]).toBeGreaterThan(wrong)
  })

  it('finds them in many rows, and by cross-fitting where coefficients are many', () => {
    const many = drawn(14, 2100, PAIRFLIP)
    const { corruption } = three(many.data)
    expectClose(corruption.habits!.values, fromRows(PAIRFLIP).values, 0, 0.05)
    const wrong = many.truth.filter((label, i) => label !== many.data.y[i]).length / 2100
    expect(corruption.interval![0]).toBeLessThan(wrong)
    expect(corruption.interval![1]).toBeGreaterThan(wrong)
    const random = new TestRandom(15)
    const { data, truth } = drawn(15, 800, PAIRFLIP)
    const wide = matrix(
      800,
      60,
      Float64Array.from({ length: 800 * 60 }, () => 0.5 * random.normal()),
    )
    for (let i = 0; i < 800; i++) wide.values.set(data.x.values.subarray(2 * i, 2 * i + 2), 60 * i)
    const large = three({ x: wide, y: data.y })
    expectClose(large.corruption.habits!.values, fromRows(PAIRFLIP).values, 0, 0.12)
    expect(areaUnderCurve(large.clean, truth, data.y)).toBeGreaterThan(0.9)
    expect(large.standardErrors).toBeUndefined()
  })

  it('bears a class that no row has', () => {
    const { data } = drawn(16, 200, PAIRFLIP)
    const { clean, corruption } = fit(softmax({ classes: 4, ridge: 0.01 }), data)
    expect([...clean, corruption.level!, ...(corruption.habits?.values ?? [])].every(Number.isFinite)).toBe(
      true,
    )
  })
})

/** A softmax that knows of uniform noise alone. */
function withoutClasses(): Discrete<Supervised, Params> {
  const { classes: habits, ...plain } = softmax({ classes: 3, ridge: 0.01 })
  return plain as Discrete<Supervised, Params>
}

/** How often a wrong label scores below a right one. */
function areaUnderCurve(clean: Float64Array, truth: Float64Array, given: Float64Array): number {
  let [below, pairs] = [0, 0]
  for (let i = 0; i < clean.length; i++)
    for (let j = 0; j < clean.length; j++) {
      if (truth[i] === given[i] || truth[j] !== given[j]) continue
      pairs++
      below += clean[i] < clean[j] ? 1 : clean[i] === clean[j] ? 0.5 : 0
    }
  return below / pairs
}

/** Intercepts, and each column of coefficients, less their mean over the classes. */
function centre(step: Float64Array, K: number): void {
  const cols = step.length / K - 1
  for (let j = 0; j <= cols; j++) {
    const places = Array.from({ length: K }, (_, k) => (j === 0 ? k : K + k * cols + j - 1))
    const mean = places.reduce((sum, at) => sum + step[at] / K, 0)
    for (const at of places) step[at] -= mean
  }
}

describe('the levels at which habits are judged', () => {
  it('lie apart, wherever the learned one falls, and begin at none', () => {
    for (let k = 0; k <= 1000; k++) {
      const learned = k / 1000
      const [below = [], above = []] = pathsFrom(learned)
      const levels = [...below].reverse().concat(learned, above)
      const gaps = levels.slice(1).map((level, i) => level - levels[i]!)
      if (learned > 0.002) expect(Math.min(...gaps)).toBeGreaterThan(0.0004)
      if (learned > 0.1) expect(Math.min(...gaps)).toBeGreaterThan(0.0024)
      expect(levels[0]).toBe(0)
    }
  })

  it('count for all kinds of noise to the last, whatever its last digit', () => {
    const logEvidence = [-3, -2, -1, 0]
    const one = { kind: 'uniform', levels: [0, 0.3, 0.6, 0.9], logEvidence } as const
    const other = {
      kind: 'learned',
      levels: [0, 0.3, 0.6, 0.9000000000000001],
      logEvidence: [-9, -8, -7, -6],
    } as const
    expectClose(
      levelOf([one, other], 0.01).level,
      levelOf([one, { ...other, levels: one.levels }], 0.01).level,
      1e-9,
    )
  })
})
