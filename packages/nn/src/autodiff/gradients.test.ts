import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GraphBuilder } from '../graph/builder.js'
import type { Shape } from '../graph/graph.js'
import * as v from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { avgPool, maxPool } from '../layers/layers.js'
import { type Differentiable, expectGradient } from '../testing/differences.js'
import type { TestRandom } from '../testing/random.js'
import { gradients } from './gradients.js'

const length = fc.integer({ min: 1, max: 4 })
const shape = fc.array(length, { minLength: 0, maxLength: 4 })
const seed = fc.integer({ min: 0, max: 1e6 })

/** Every case must agree with difference quotients. */
function holds<T>(cases: fc.Arbitrary<T>, make: (drawn: T) => Differentiable, runs = 30): Promise<void> {
  return fc.assert(
    fc.asyncProperty(cases, seed, (drawn, number) => expectGradient(make(drawn), number)),
    { numRuns: runs },
  )
}

const positive = (random: TestRandom, size: number): Float64Array => random.uniforms(size, 0.5, 2)

describe('gradients against finite differences: entry for entry', () => {
  const unaries = { neg: v.neg, exp: v.exp, abs: v.abs, relu: v.relu, sigmoid: v.sigmoid, tanh: v.tanh }
  it.each(Object.entries(unaries))('%s', (_, f) =>
    holds(shape, (s) => ({ shapes: [s], build: ([x]) => f(x) })),
  )
  it.each(Object.entries({ log: v.log, sqrt: v.sqrt }))('%s', (_, f) =>
    holds(shape, (s) => ({ shapes: [s], draw: positive, build: ([x]) => f(x) })),
  )

  // Two shapes that broadcast: some axes of either have length 1, and either may lack leading axes.
  const shapes = fc
    .tuple(shape, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), fc.nat(4), fc.boolean())
    .map(([full, ones, missing, swap]): readonly [Shape, Shape] => {
      const a = full.map((n, axis) => (ones[axis] ? 1 : n))
      const b = full.map((n, axis) => (ones[4 + axis] ? 1 : n)).slice(Math.min(missing, full.length))
      return swap ? [b, a] : [a, b]
    })
  const binaries = { add: v.add, sub: v.sub, mul: v.mul, maximum: v.maximum, minimum: v.minimum }
  it.each(Object.entries(binaries))('%s with broadcasting', (_, f) =>
    holds(shapes, ([a, b]) => ({
      shapes: [a, b],
      // Far enough apart that a maximum does not change hands.
      draw: (random, size, i) => random.spread(size).map((x) => x + (i === 1 ? 0.026 : 0)),
      build: ([x, y]) => f(x, y),
    })),
  )
  it('div with broadcasting', () =>
    holds(shapes, ([a, b]) => ({ shapes: [a, b], draw: positive, build: ([x, y]) => v.div(x, y) })))
  it('where with broadcasting', () =>
    holds(shapes, ([a, b]) => ({
      shapes: [a, b],
      build: ([x, y]) => v.where(v.greater(x, 0), v.mul(x, 2), y),
    })))
})

describe('gradients against finite differences: shapes', () => {
  const axes = fc
    .tuple(fc.array(length, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3)), fc.boolean())
    .map(([s, picked, keepDims]) => {
      const inside = [...new Set(picked.map((axis) => axis % s.length))]
      return { s, options: { axes: inside.length > 0 ? inside : [0], keepDims } }
    })
  it.each(Object.entries({ sum: v.sum, mean: v.mean, max: v.max }))('%s over axes', (_, f) =>
    holds(axes, ({ s, options }) => ({ shapes: [s], build: ([x]) => f(x, options) })),
  )
  it('reshape', () =>
    holds(shape, (s) => ({ shapes: [s], build: ([x]) => v.reshape(x, [...s, 1].reverse()) })))
  it('broadcastTo', () =>
    holds(axes, ({ s, options }) => ({
      shapes: [s.map((n, axis) => (options.axes.includes(axis) ? 1 : n))],
      build: ([x]) => v.broadcastTo(x, [2, ...s]),
    })))
  it('transpose', () =>
    holds(
      fc
        .shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
        .chain((order) => fc.tuple(fc.constant(order), length)),
      ([order, n]) => ({ shapes: [[2, n, 3, 1]], build: ([x]) => v.transpose(x, order) }),
    ))
  it('concat and slice', () =>
    holds(fc.tuple(fc.nat(2), length, length), ([axis, n, m]) => {
      const of = (k: number): Shape => [2, 3, 2].map((full, i) => (i === axis ? k : full))
      return {
        shapes: [of(n), of(m)],
        build: ([x, y]) => v.slice(v.concat([x, y, x], axis), axis, 1, n + m),
      }
    }))
})

describe('gradients against finite differences: layers', () => {
  it('matmul, either side transposed, with and without a bias', () =>
    holds(
      fc.record({ n: length, k: length, m: length, ta: fc.boolean(), tb: fc.boolean(), bias: fc.boolean() }),
      ({ n, k, m, ta, tb, bias }) => ({
        shapes: [ta ? [k, n] : [n, k], tb ? [m, k] : [k, m], [m]],
        build: ([a, b, c]) => v.matmul(a, b, { transposeA: ta, transposeB: tb, ...(bias && { bias: c }) }),
      }),
    ))

  const size = fc.tuple(fc.integer({ min: 3, max: 7 }), fc.integer({ min: 3, max: 7 }))
  const small = fc.integer({ min: 1, max: 3 })
  const pair = fc.tuple(small, small)
  const zeroPair = fc.tuple(fc.nat(2), fc.nat(2))
  it('conv2d over strides, paddings and windows', () =>
    holds(
      fc.record({
        n: small,
        c: small,
        o: small,
        size,
        kernel: pair,
        stride: pair,
        padding: zeroPair,
        bias: fc.boolean(),
      }),
      ({ n, c, o, size, kernel, stride, padding, bias }) => ({
        shapes: [[n, c, ...size], [o, c, ...kernel], [o]],
        build: ([x, w, b]) => v.node({ kind: 'conv2d', stride, padding }, x, w, ...(bias ? [b] : [])),
      }),
      60,
    ))
  it.each(Object.entries({ maxPool, avgPool }))('%s over strides, paddings and windows', (_, pool) =>
    holds(
      fc.record({ c: small, size, kernel: pair, stride: pair, padding: zeroPair }),
      ({ c, size, kernel, stride, padding }) => {
        const inside = [Math.min(padding[0], kernel[0] >> 1), Math.min(padding[1], kernel[1] >> 1)] as const
        return { shapes: [[2, c, ...size]], build: ([x]) => pool(x, kernel, { stride, padding: inside }) }
      },
      60,
    ),
  )
  const image = fc.record({
    n: fc.integer({ min: 2, max: 4 }),
    c: small,
    rest: fc.array(small, { maxLength: 2 }),
  })
  it('batch norm by the batch', () =>
    holds(image, ({ n, c, rest }) => ({
      shapes: [[n, c, ...rest], [c], [c]],
      build: ([x, scale, bias]) =>
        x.graph.apply({ kind: 'batchNormTrain', epsilon: 1e-2 }, [x, scale, bias])[0],
    })))
  it('batch norm by given statistics', () =>
    holds(image, ({ n, c, rest }) => ({
      shapes: [[n, c, ...rest], [c], [c], [c], [c]],
      draw: positive,
      build: (inputs) => v.node({ kind: 'batchNormEval', epsilon: 1e-3 }, ...inputs),
    })))
  it('log-softmax', () =>
    holds(fc.tuple(length, length), (s) => ({ shapes: [s], build: ([x]) => v.logSoftmax(x) })))
  it('cross-entropy, by losses and by log-probabilities', () =>
    holds(fc.record({ n: length, k: length, both: fc.boolean() }), ({ n, k, both }) => ({
      shapes: [[n, k]],
      labels: Int32Array.from({ length: n }, (_, i) => (i * 7) % k),
      build: ([x], y) => {
        const { losses, logProbabilities } = v.crossEntropy(x, y)
        return both ? [losses, logProbabilities] : losses
      },
    })))
})

describe('gradients as a whole', () => {
  it('add up over all paths from a value to the scalar', () =>
    holds(shape, (s) => ({
      shapes: [s, s],
      build: ([x, y]) => v.add(v.mul(x, v.exp(y)), v.mul(v.tanh(x), v.sub(x, y))),
    })))

  it('stop where they are told to, and at masks', async () => {
    const g = new GraphBuilder()
    const x = g.feed('x', [3])
    const [stopped] = gradients(v.sum(v.stopGradient(v.exp(x))), [x])
    expect(g.producer(stopped.id)?.op.kind).toBe('broadcastTo')
    const [masked] = gradients(v.sum(v.smallest(x, 2)), [x])
    expect(g.producer(masked.id)?.op.kind).toBe('broadcastTo')
  })

  it('refuse what has none, naming the layer', () => {
    const g = new GraphBuilder({ mode: 'train' })
    const table = g.feed('table', [5, 2])
    const rows = g.feed('rows', [3], { dtype: 'i32' })
    const taken = g.inLayer('embedding', () => v.take(table, rows))
    expect(() => gradients(v.sum(taken), [table])).toThrow(
      'embedding: must be made of operations with a gradient, got "take"; stop the gradient before it',
    )
    expect(() => gradients(taken, [table])).toThrow('gradients: only a scalar can be differentiated')
    const x = g.feed('x', [1, 2])
    expect(() => batchNorm(x, 'bn')).toThrow('bn: needs more than one value per channel')
  })
})
