import type { GraphBuilder, Value } from '../graph/builder.js'
import { broadcastShape } from '../graph/checker.js'
import { type Shape, sizeOf } from '../graph/graph.js'
import * as v from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { avgPool, conv2d, dropout, linear, maxPool, type PoolOptions } from '../layers/layers.js'
import type { TestRandom } from './random.js'

export interface Draw {
  readonly g: GraphBuilder
  readonly random: TestRandom
  readonly pool: readonly Value[]
  readonly labels: Value
  readonly rows: Value
  readonly name: string
  readonly classes: number
}

/** Adds one operation on random values, or nothing if none of them fits. */
export type RandomOp = (draw: Draw) => readonly Value[]

const one = (
  f: (draw: Draw, x: Value) => Value | undefined,
  fits: (x: Value) => boolean = () => true,
): RandomOp => {
  return (draw) => {
    const candidates = draw.pool.filter(fits)
    if (candidates.length === 0) return []
    const made = f(draw, draw.random.pick(candidates))
    return made ? [made] : []
  }
}

const two = (f: (a: Value, b: Value) => Value): RandomOp =>
  one(({ random, pool }, a) => {
    const b = random.pick(pool.filter((other) => broadcastShape(a.shape, other.shape)))
    const shape = broadcastShape(a.shape, b.shape)
    return shape && sizeOf(shape) <= 2000 ? f(a, b) : undefined
  })

const rank = (n: number) => (x: Value) => x.shape.length === n
const isImage = (x: Value): boolean => rank(4)(x) && x.shape[2] >= 2 && x.shape[3] >= 2
const positive = (x: Value): Value => v.add(v.abs(x), 0.5)
const pair = (random: TestRandom, low: number, high: number): readonly [number, number] => [
  random.whole(low, high),
  random.whole(low, high),
]

/** Some axes, in order. */
function axesOf(random: TestRandom, shape: Shape): number[] {
  const axes = shape.map((_, axis) => axis).filter(() => random.uniform() < 0.5)
  return axes.length > 0 ? axes : [random.whole(0, shape.length - 1)]
}

const reduced = (f: typeof v.sum, scaled: boolean): RandomOp =>
  one(
    ({ random }, x) => {
      const axes = axesOf(random, x.shape)
      const y = f(x, { axes, keepDims: random.uniform() < 0.5 })
      return scaled ? v.mul(y, 1 / axes.reduce((product, axis) => product * x.shape[axis], 1)) : y
    },
    (x) => x.shape.length > 0,
  )

const pooled = (
  pool: (x: Value, kernel: readonly [number, number], options: PoolOptions) => Value,
): RandomOp =>
  one(({ random }, x) => {
    const kernel = pair(random, 1, Math.min(3, x.shape[2], x.shape[3]))
    const apart = random.uniform() < 0.5
    const stride = apart ? kernel : pair(random, 1, 3)
    const padding = [random.whole(0, kernel[0] >> 1), random.whole(0, kernel[1] >> 1)] as const
    return pool(x, kernel, { stride, padding: apart ? 0 : padding })
  }, isImage)

export const randomOps: readonly RandomOp[] = [
  one((_, x) => v.neg(x)),
  one((_, x) => v.exp(v.tanh(x))),
  one((_, x) => v.log(positive(x))),
  one((_, x) => v.sqrt(positive(x))),
  one((_, x) => v.relu(x)),
  one((_, x) => v.sigmoid(x)),
  one((_, x) => v.stopGradient(x)),
  two(v.add),
  two(v.sub),
  two((a, b) => v.mul(v.tanh(a), b)),
  two((a, b) => v.div(v.tanh(a), positive(b))),
  two(v.maximum),
  two(v.minimum),
  two(v.greater),
  two(v.greaterEqual),
  one((_, x) => v.equal(x, v.relu(x))),
  two((a, b) => v.where(v.greater(a, 0.1), a, b)),
  reduced(v.sum, true),
  reduced(v.mean, false),
  reduced(v.max, false),
  one(({ random }, x) => v.reshape(x, random.pick([[sizeOf(x.shape)], [1, ...x.shape], [...x.shape, 1]]))),
  one(
    (_, x) => v.broadcastTo(x, [2, ...x.shape]),
    (x) => x.shape.length < 4 && sizeOf(x.shape) < 200,
  ),
  one(
    ({ random }, x) => {
      const keys = x.shape.map(() => random.uniform())
      const order = x.shape.map((_, axis) => axis).sort((a, b) => keys[a] - keys[b])
      return v.transpose(x, order)
    },
    (x) => x.shape.length > 1,
  ),
  one(
    ({ random }, x) => {
      const axis = random.whole(0, x.shape.length - 1)
      return v.concat([x, v.tanh(x)], axis)
    },
    (x) => x.shape.length > 0 && sizeOf(x.shape) < 400,
  ),
  one(
    ({ random }, x) => {
      const axis = random.whole(0, x.shape.length - 1)
      const start = random.whole(0, x.shape[axis] - 1)
      return v.slice(x, axis, start, random.whole(start + 1, x.shape[axis]))
    },
    (x) => x.shape.length > 0,
  ),
  one(
    ({ rows }, x) => v.take(x, rows),
    (x) => x.shape.length > 0 && x.shape[0] >= 4,
  ),
  ({ labels, classes }) => [v.oneHot(labels, classes)],
  one(({ random }, x) => v.smallest(x, random.whole(0, x.shape[0])), rank(1)),
  one(({ random, pool }, a) => {
    const transposeA = random.uniform() < 0.5
    const inner = a.shape[transposeA ? 0 : 1]
    const b = random.pick(pool.filter((x) => rank(2)(x) && x.shape.includes(inner)))
    if (!b) return undefined
    const y = v.matmul(a, b, { transposeA, transposeB: b.shape[0] !== inner })
    return v.mul(y, 1 / inner)
  }, rank(2)),
  one(
    ({ name, random }, x) => linear(x, name, random.whole(2, 5), { bias: random.uniform() < 0.5 }),
    rank(2),
  ),
  ...[1, 2, 3].map(() =>
    one(({ name, random }, x) => {
      const kernel = pair(random, 1, Math.min(3, x.shape[2], x.shape[3]))
      const bias = random.uniform() < 0.5
      const window = { stride: pair(random, 1, 2), padding: pair(random, 0, 2) }
      return conv2d(x, name, { channels: random.whole(1, 4), kernel, bias, ...window })
    }, isImage),
  ),
  pooled(maxPool),
  pooled(avgPool),
  one(({ name }, x) => batchNorm(x, name, { epsilon: 0.1 }), isImage),
  one(
    ({ name, random }, x) => dropout(x, name, { rate: 0.3, by: random.pick(['element', 'channel']) }),
    isImage,
  ),
  one((_, x) => v.logSoftmax(x), rank(2)),
  one(({ labels, classes }, x) => {
    if (x.shape[0] !== labels.shape[0] || x.shape[1] < classes) return undefined
    return v.crossEntropy(x, labels).losses
  }, rank(2)),
]
