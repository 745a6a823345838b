import { afterEach, describe, expect, it } from 'vitest'
import { type Matrix, matrix, sharedMatrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import * as estep from './estep.js'
import { allFinite } from './finite.js'
import * as gram from './gram.js'
import * as plainEStep from './plain-estep.js'
import * as plainGram from './plain-gram.js'
import { softmaxLoss as plainSoftmaxLoss } from './plain-softmax.js'
import { limitThreads } from './pool.js'
import { kernelRoom, simd } from './simd.js'
import { softmaxLoss } from './softmax.js'

/** Lengths around the block of 4096 rows, which is also the first that SIMD takes; the last three have threads. */
const lengths = [1, 2, 3, 4095, 4096, 4097, 8191, 8192, 8193, 100_003, 262_144, 300_001]
/** Rows and columns around the blocks of wide and narrow matrices. */
const shapes = [
  [1, 1],
  [3, 2],
  [20_001, 1],
  [9_000, 2],
  [8_193, 3],
  [5_461, 5],
  [1_639, 20],
  [7_001, 21],
  [50_001, 4],
  [801, 130],
  [40, 500],
] as const
/** Alone, and with every core; in memory of one's own, and shared. */
const ways = [
  { threads: 1, shared: false },
  { threads: 1, shared: true },
  { threads: 4, shared: true },
]
const extremes = [0, -0, 1e-300, -1e-300, 1e-9, -1e-9, 0.3, -0.3, 5, -5, 5, 744, -744, 746, -746, 1e5, -1e5]

afterEach(() => limitThreads(Number.POSITIVE_INFINITY))

function vector(length: number, shared: boolean, value: (i: number) => number = () => 0): Float64Array {
  const out = shared ? sharedMatrix(length, 1).values : new Float64Array(length)
  for (let i = 0; i < length; i++) out[i] = value(i)
  return out
}

/** Numbers in [-1, 1) that look random; the same ones everywhere. */
const wave = (i: number): number => ((Math.imul(i + 1, 2654435761) >>> 8) % 20_001) / 10_000 - 1
const mildLoss = (i: number): number => (i % 5 === 0 ? 4 : -1) + 3 * wave(i)
const wildLoss = (i: number): number => extremes[i % extremes.length]

it('has SIMD kernels to test', () => {
  expect(simd()).not.toBeNull()
})

describe.each(ways)('E-step kernels, %o', ({ threads, shared }) => {
  it.each(lengths)('agree with the plain loops on %i rows', (n) => {
    limitThreads(threads)
    const losses = vector(n, shared, mildLoss)
    const [a, f] = [vector(n, shared), vector(n, shared)]
    const [plainA, plainF] = [new Float64Array(n), new Float64Array(n)]
    const { ends, score } = estep.foldLosses(losses, a, f, 0.2, true)
    const plainEnds = plainEStep.foldLosses(losses, plainA, plainF)
    expectClose(a, plainA, 1e-14)
    expectClose(f, plainF, 1e-14)
    expectClose(ends.atZero, plainEnds.atZero, 1e-12)
    expectClose(ends.atOne, plainEnds.atOne, 1e-12)
    expect(ends.checksum).toBe(0)
    expect(score).toEqual(estep.score(f, 0.2, true))

    for (const [q, flip] of [
      [0.3, false],
      [1e-9, true],
    ] as const) {
      const got = estep.score(f, q, flip)
      const expected = plainEStep.score(plainF, q, flip)
      expectClose(got.value, expected.value, 1e-11)
      expectClose(got.squares, expected.squares, 1e-12)
      expectClose(got.cubes, expected.cubes, 1e-11)
    }
    estep.posterior(a, f, 0.7, 0.3)
    plainEStep.posterior(plainA, plainF, 0.7, 0.3)
    expectClose(a, plainA, 1e-14)

    const [growth, plainGrowth] = [vector(n, shared), new Float64Array(n)]
    estep.exponentials(losses, 1, -0.5, growth)
    plainEStep.exponentials(losses, 1, -0.5, plainGrowth)
    expectClose(growth, plainGrowth, 1e-14)
    const step = estep.fixedPoint(growth, 0.1, a)
    const plainStep = plainEStep.fixedPoint(plainGrowth, 0.1, plainA)
    expectClose(a, plainA, 1e-14)
    expectClose(step.sum, plainStep.sum, 1e-12)
    expectClose(step.moved, plainStep.moved, 1e-12)
    expectClose(
      estep.objective(losses, a, -0.4, -1.1),
      plainEStep.objective(losses, plainA, -0.4, -1.1),
      1e-11,
    )
  })

  it('agree with the plain loops on extreme losses and ties', () => {
    limitThreads(threads)
    const n = 120_007
    const losses = vector(n, shared, wildLoss)
    const [a, f] = [vector(n, shared), vector(n, shared)]
    const [plainA, plainF] = [new Float64Array(n), new Float64Array(n)]
    const { ends } = estep.foldLosses(losses, a, f, 0.5, false)
    expect(ends).toEqual(plainEStep.foldLosses(losses, plainA, plainF))
    expectClose(a, plainA, 1e-14)
    expectClose(f, plainF, 1e-14)
    expectClose(estep.score(f, 0.4, false).value, plainEStep.score(plainF, 0.4, false).value, 1e-12, 1e-9)
    estep.posterior(a, f, 0.7, 0.3)
    plainEStep.posterior(plainA, plainF, 0.7, 0.3)
    expectClose(a, plainA, 1e-14)
    const growth = vector(n, shared)
    estep.exponentials(losses, 1, 0, growth)
    const exact = new Float64Array(n)
    plainEStep.exponentials(losses, 1, 0, exact)
    for (let i = 0; i < n; i++) if (growth[i] === Number.POSITIVE_INFINITY) growth[i] = Number.MAX_VALUE
    for (let i = 0; i < n; i++) if (exact[i] === Number.POSITIVE_INFINITY) exact[i] = Number.MAX_VALUE
    // Below the smallest normal number there are fewer digits to agree on.
    expectClose(growth, exact, 1e-14, 5e-324)
    const pi = vector(n, shared, (i) => [0, 1, 0.5, 1e-310, 1 - 2 ** -53][i % 5])
    const mild = vector(n, shared, mildLoss)
    const plainObjective = plainEStep.objective(mild, pi, -1, -1)
    expectClose(estep.objective(mild, pi, -1, -1), plainObjective, 1e-12)
  })
})

it('finds a loss that is no number', () => {
  const losses = vector(30_001, false, mildLoss)
  expect(allFinite(losses)).toBe(true)
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    losses[30_000] = bad
    expect(allFinite(losses)).toBe(false)
    const [a, f] = [new Float64Array(30_001), new Float64Array(30_001)]
    expect(estep.foldLosses(losses, a, f, 0.5, false).ends.checksum).toBeNaN()
  }
})

/** The kernels on one matrix, with what they return. */
function matrixPasses(kernels: typeof gram, x: Matrix, shared: boolean): Float64Array[] {
  const [v, s] = [vector(x.rows, shared, (i) => 1 + wave(i)), vector(x.rows, shared, (i) => wave(3 * i))]
  const coefficients = vector(x.cols, false, (j) => wave(7 * j))
  const out = vector(x.rows, shared)
  kernels.linearPredictor(x, 0.5, coefficients, out)
  const sums = new Float64Array(x.cols)
  const total = kernels.columnSums(x, v, sums)
  const [G, g, h] = [new Float64Array(x.cols ** 2), new Float64Array(x.cols), new Float64Array(x.cols)]
  kernels.gram(x, coefficients, v, s, G, g, h)
  const lengths = vector(x.rows, shared)
  kernels.norms(
    x,
    coefficients,
    vector(x.cols ** 2, false, (k) => wave(11 * k)),
    lengths,
  )
  const scaled = matrix(x.rows, x.cols, x.values.slice())
  kernels.rescale(scaled, coefficients, coefficients)
  return [out, sums, Float64Array.of(total), G, g, h, lengths, scaled.values]
}

function someMatrix(rows: number, cols: number, shared: boolean): Matrix {
  return matrix(
    rows,
    cols,
    vector(rows * cols, shared, (k) => 2 * wave(k)),
  )
}

describe.each(ways)('matrix kernels, %o', ({ threads, shared }) => {
  it.each(shapes)('agree with the plain loops on %i x %i', (rows, cols) => {
    limitThreads(threads)
    const x = someMatrix(rows, cols, shared)
    const got = matrixPasses(gram, x, shared)
    const expected = matrixPasses(plainGram, x, shared)
    // Sums of terms with both signs: the digits to agree on are those of the terms.
    got.forEach((values, k) => {
      expectClose(values, expected[k], 1e-12, 1e-12 * rows)
    })
  })
})

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]))
}

describe("rows in the kernels' own memory", () => {
  it.each(shapes)('give the same, bit for bit, on %i x %i', (rows, cols) => {
    const x = someMatrix(rows, cols, false)
    const wanted = matrixPasses(gram, x, false)
    const values = kernelRoom(rows * cols)
    values.set(x.values)
    const got = matrixPasses(gram, { rows, cols, values }, false)
    // In place, unlike the copy.
    const ones = new Float64Array(cols).fill(1)
    gram.rescale({ rows, cols, values }, ones, ones)
    expect(values.length).toBe(rows * cols)
    expect(got.every((own, k) => isSame(own, wanted[k]))).toBe(true)
    expect(
      isSame(
        values,
        x.values.map((value) => value - 1),
      ),
    ).toBe(true)
  })

  it('are gone, and known to be, when it grows', () => {
    const values = kernelRoom(100)
    kernelRoom(2 ** 21)
    expect(values.length).toBe(0)
  })
})

describe.each(ways)('softmax kernel, %o', ({ threads, shared }) => {
  it.each([
    [4100, 2, 2],
    [1367, 4, 3],
    [1797, 62, 10],
    [205, 22, 7],
    [40, 130, 101],
  ])('agrees with the plain loops on %i x %i, %i classes', (rows, cols, classes) => {
    limitThreads(threads)
    const x = matrix(rows, cols, vector(rows * cols, shared, wave))
    const y = vector(rows, shared, (i) => (i * 7) % classes)
    // Some rows count for nothing, and some scores lie far apart.
    const w = vector(rows, shared, (i) => (i % 11 === 0 ? 0 : 1 + wave(i)))
    const coefficients = new Float64Array((classes + (classes % 2)) * cols)
    for (let at = 0; at < classes * cols; at++) coefficients[at] = (at % 5 === 0 ? 300 : 1) * wave(3 * at)
    const [g, plainG] = [coefficients.slice(), coefficients.slice()]
    const value = softmaxLoss(x, y, w, classes, coefficients, g)
    expectClose(value, plainSoftmaxLoss(x, y, w, classes, coefficients, plainG), 1e-12)
    const largest = plainG.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
    expectClose(g.subarray(0, classes * cols), plainG.subarray(0, classes * cols), 1e-10, 1e-13 * largest)
  })
})

describe('on any number of threads', () => {
  it('every kernel gives the same, bit for bit', () => {
    const all = (threads: number): Float64Array[] => {
      limitThreads(threads)
      const n = 300_001
      const losses = vector(n, true, mildLoss)
      const [a, f] = [vector(n, true), vector(n, true)]
      const { ends, score } = estep.foldLosses(losses, a, f, 0.3, true)
      estep.posterior(a, f, 0.6, 0.4)
      const growth = vector(n, true)
      estep.exponentials(losses, 1, 0, growth)
      const step = estep.fixedPoint(growth, 0.2, a)
      const objective = estep.objective(losses, a, -1, -2)
      const sums = [ends.atZero, ends.atOne, score.value, score.cubes, step.sum, step.moved, objective]
      return [a, f, growth, Float64Array.from(sums), ...matrixPasses(gram, someMatrix(60_001, 7, true), true)]
    }
    const alone = all(1)
    for (const threads of [2, 8]) {
      all(threads).forEach((values, k) => {
        expect(Buffer.compare(Buffer.from(values.slice().buffer), Buffer.from(alone[k].slice().buffer))).toBe(
          0,
        )
      })
    }
  })
})
