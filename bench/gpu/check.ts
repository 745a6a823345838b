/**
 * Every operation, and a few training steps of networks, on the card against the reference in float64: relative errors
 * |ours - theirs| / |theirs| for each precision, on fresh random inputs. Exits with 1 if one is too large.
 *
 *   node bench/dist/gpu/check.js [seed]
 */
import {
  cudaExecutor,
  drawMasks,
  type Executor,
  type Feeds,
  type Graph,
  GraphBuilder,
  lenet,
  type Model,
  type Precision,
  referenceExecutor,
  type Value,
  weightedStep,
} from '@rlvi/nn'
import { batchNorm, conv2d as convLayer, globalMean, linear } from '@rlvi/nn/layers'
import * as ops from '@rlvi/nn/ops'
import { adam, sgd } from '@rlvi/nn/optim'
import { draws } from 'rlvi/random'

const seed = Number(process.argv[2] ?? Date.now() % 1e6)
const random = draws('gpu-check', seed)
const precisions: readonly Precision[] = ['fp32', 'tf32', 'bf16']
/** What operations are held to in each precision, relative to the size of a tensor. */
const tolerance: Readonly<Record<Precision, number>> = { fp32: 1e-5, tf32: 2e-3, bf16: 2e-2 }
/**
 * A few steps of training multiply rounding: Adam, which divides by the size of a gradient, moves a weight as far by what
 * rounding leaves of a gradient near 0 as by any other. So TF32 and bf16 are held to some times what rounding alone does to the
 * reference in the worst of five trainings, in losses and logits of every step; fp32 to a number, in all variables as well.
 */
const TRAINED = 2e-5
const TIMES_ROUNDING = 4

type Build = (g: GraphBuilder) => readonly Value[]
const image = (g: GraphBuilder, n = 8, c = 16, h = 10, w = 9): Value => g.feed(`image${c}x${h}`, [n, c, h, w])
const matrix = (g: GraphBuilder, rows = 24, columns = 40, name = 'matrix'): Value =>
  g.feed(name, [rows, columns])
const by = (kind: string, extra: object = {}): ((...values: Value[]) => Value) => {
  return (...values) => values[0].graph.apply({ kind, ...extra } as never, values)[0]
}
const window = { stride: [2, 2], padding: [1, 1] } as const

const cases: Readonly<Record<string, Build>> = {
  unary: (g) => {
    const x = image(g)
    const positive = ops.add(ops.abs(x), 0.5)
    return [
      ops.neg(x),
      ops.exp(x),
      ops.log(positive),
      ops.sqrt(positive),
      ops.relu(x),
      ops.sigmoid(x),
      ops.tanh(x),
    ]
  },
  binary: (g) => {
    const [a, b] = [image(g), g.feed('b', [16, 1, 9])]
    const others = [
      ops.add,
      ops.sub,
      ops.mul,
      ops.maximum,
      ops.minimum,
      ops.greater,
      ops.greaterEqual,
      ops.equal,
    ]
    return [
      ...others.map((f) => f(a, b)),
      ops.div(a, ops.add(ops.abs(b), 1)),
      ops.where(ops.greater(a, 0), a, b),
    ]
  },
  reduce: (g) => {
    const x = image(g)
    return [[0], [1], [2, 3], [0, 2, 3], [0, 1, 2, 3]].flatMap((axes) => [
      ops.sum(x, { axes }),
      ops.mean(x, { axes, keepDims: true }),
      ops.max(x, { axes }),
    ])
  },
  'reduce, large': (g) => {
    const x = image(g, 32, 32, 30, 30)
    return [
      ops.sum(x, { axes: [0, 2, 3] }),
      ops.mean(x, { axes: [2, 3] }),
      ops.sum(matrix(g, 2000, 64), { axes: [0] }),
    ]
  },
  shapes: (g) => {
    const x = image(g)
    return [
      ops.reshape(x, [8, 16 * 90]),
      ops.transpose(x, [3, 1, 0, 2]),
      ops.concat([x, ops.neg(x)], 1),
      ops.slice(x, 1, 3, 11),
      ops.broadcastTo(matrix(g, 1, 40), [24, 40]),
    ]
  },
  rows: (g) => {
    const labels = g.feed('labels', [24], { dtype: 'i32' })
    const loss = ops.crossEntropy(matrix(g), labels)
    return [
      ops.oneHot(labels, 40),
      ops.take(matrix(g, 50, 7, 'table'), labels),
      ops.logSoftmax(matrix(g, 9, 300, 'logits')),
      loss.losses,
      loss.logProbabilities,
      by('crossEntropyGrad')(loss.logProbabilities, labels, g.feed('weights', [24])),
    ]
  },
  smallest: (g) => [
    ops.smallest(g.feed('few', [333]), 100),
    ops.smallest(g.feed('many', [70001]), 23456),
    // Half of the entries are equal: the first of them are taken.
    ops.smallest(ops.relu(g.feed('equal', [70001])), 20000),
  ],
  matmul: (g) => {
    const [a, b] = [matrix(g, 24, 40, 'a'), matrix(g, 40, 56, 'b')]
    const [c, d] = [matrix(g, 40, 24, 'c'), matrix(g, 56, 40, 'd')]
    const bias = g.feed('bias', [56])
    return [
      ops.matmul(a, b, { bias }),
      ops.matmul(c, b, { transposeA: true }),
      ops.matmul(a, d, { transposeB: true, bias }),
      ops.matmul(c, d, { transposeA: true, transposeB: true }),
      ops.relu(ops.matmul(ops.relu(ops.matmul(a, b, { bias })), d)),
    ]
  },
  conv: (g) => {
    const [x, w] = [image(g), g.feed('w', [24, 16, 3, 3])]
    const y = by('conv2d', window)(x, w, g.feed('bias', [24]))
    const dy = g.feed('dy', y.shape)
    return [
      y,
      by('conv2dInputGrad', { ...window, size: [10, 9] })(dy, w),
      by('conv2dWeightGrad', { ...window, kernel: [3, 3] })(x, dy),
    ]
  },
  'conv, few channels': (g) => {
    const [x, w] = [image(g, 8, 3, 12, 12), g.feed('w', [6, 3, 5, 5])]
    const plain = { stride: [1, 1], padding: [0, 0] } as const
    const y = by('conv2d', plain)(x, w)
    const dy = g.feed('dy', y.shape)
    return [
      y,
      by('conv2dInputGrad', { ...plain, size: [12, 12] })(dy, w),
      by('conv2dWeightGrad', { ...plain, kernel: [5, 5] })(x, dy),
    ]
  },
  pools: (g) => {
    const x = image(g)
    return [
      [2, 2, 0],
      [3, 2, 1],
      [3, 1, 1],
    ].flatMap(([k, s, p]) => {
      const pool = { kernel: [k, k], stride: [s, s], padding: [p, p] } as const
      const largest = by('maxPool', pool)(x)
      const dy = g.feed(`dy${k}${s}`, largest.shape)
      return [
        largest,
        by('avgPool', pool)(x),
        by('maxPoolGrad', pool)(x, largest, dy),
        by('avgPoolGrad', { ...pool, size: [10, 9] })(dy),
      ]
    })
  },
  'batch norm': (g) => {
    const x = image(g, 16, 24, 12, 12)
    const [scale, bias] = [g.feed('scale', [24]), g.feed('bias', [24])]
    const [y, mean, variance] = g.apply({ kind: 'batchNormTrain', epsilon: 1e-5 }, [
      ops.add(x, 3),
      scale,
      bias,
    ])
    const dy = g.feed('dy', x.shape)
    const moved = ops.add(x, 3)
    return [
      y,
      mean,
      variance,
      ...g.apply({ kind: 'batchNormGrad', epsilon: 1e-5 }, [dy, moved, scale, mean, variance]),
      by('batchNormEval', { epsilon: 1e-5 })(x, scale, bias, mean, variance),
    ]
  },
}

function feedsOf(graph: Graph, rate = 0.05): Feeds {
  return {
    ...Object.fromEntries(
      graph.feeds.map(({ name, tensor }) => {
        const { shape, dtype } = graph.tensors[tensor]
        const size = shape.reduce((product, length) => product * length, 1)
        if (name === 'rate') return [name, rate]
        if (dtype === 'i32')
          return [name, Int32Array.from({ length: size }, () => Math.floor(random.uniform(0, 10)))]
        return [name, Float32Array.from({ length: size }, () => random.normal())]
      }),
    ),
    ...drawMasks(graph, seed, 1),
  }
}

/** |a - b| / |b|, and not a number where one is none. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [apart, size] = [0, 0]
  for (let i = 0; i < b.length; i++) {
    apart += (a[i] - b[i]) ** 2
    size += b[i] ** 2
  }
  return Math.sqrt(apart / Math.max(size, 1e-30))
}

async function errorOf(
  executor: Executor,
  graph: Graph,
  steps: readonly Feeds[],
  isExact: boolean,
): Promise<number> {
  const [ours, theirs] = [await executor.compile(graph), await referenceExecutor().compile(graph)]
  let worst = 0
  for (const feeds of steps) {
    const [got, expected] = [await ours.run(feeds), await theirs.run(feeds)]
    for (const { name } of graph.fetches) worst = largest(worst, distance(got[name], expected[name]))
  }
  for (const { name } of isExact ? graph.variables : []) {
    worst = largest(worst, distance(await ours.variables.read(name), await theirs.variables.read(name)))
  }
  await ours.dispose()
  return worst
}

const largest = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Math.max(a, b)

/** A stem and a block that halves the image: small enough for plain loops. */
const smallResNet: Model = {
  name: 'small resnet',
  image: [3, 14, 14],
  classes: 10,
  logits(x) {
    const block = (h: Value, name: string, channels: number, stride: number): Value =>
      h.graph.scope(name, () => {
        const conv = (v: Value, as: string, s: number): Value =>
          batchNorm(convLayer(v, as, { channels, kernel: 3, stride: s, padding: 1, bias: false }), `${as}.bn`)
        const short =
          stride === 1
            ? h
            : batchNorm(convLayer(h, 'd', { channels, kernel: 1, stride, bias: false }), 'd.bn')
        return ops.relu(ops.add(conv(ops.relu(conv(h, 'a', stride)), 'b', 1), short))
      })
    const stem = ops.relu(batchNorm(convLayer(x, 'stem', { channels: 16, kernel: 3, bias: false }), 'bn'))
    return linear(globalMean(block(block(stem, 'one', 32, 2), 'two', 32, 1)), 'fc', 10)
  },
}

const networks: Readonly<Record<string, { readonly graph: Graph; readonly rate: number }>> = {
  'LeNet, Adam, 3 steps': {
    graph: weightedStep(lenet(), { batch: 8, optimizer: adam({ epsilon: 1e-4 }) }),
    rate: 1e-3,
  },
  'LeNet, Adam at 0.05, 3 steps': {
    graph: weightedStep(lenet(), { batch: 8, optimizer: adam({ epsilon: 1e-4 }) }),
    rate: 0.05,
  },
  'LeNet, SGD, 3 steps': {
    graph: weightedStep(lenet(), { batch: 8, optimizer: sgd({ momentum: 0.9 }) }),
    rate: 0.05,
  },
  'small ResNet, SGD, 3 steps': {
    graph: weightedStep(smallResNet, { batch: 8, optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }) }),
    rate: 0.05,
  },
}

console.log(`relative errors against the reference, seed ${seed}`)
console.log(`${'what'.padEnd(36)}${precisions.map((name) => name.padStart(12)).join('')}`)
let failures = 0
const executors = precisions.map((precision) => cudaExecutor({ precision }))
async function line(
  name: string,
  graph: Graph,
  steps: readonly Feeds[],
  limits: typeof tolerance,
): Promise<void> {
  const errors: string[] = []
  for (const [i, precision] of precisions.entries()) {
    try {
      const error = await errorOf(executors[i], graph, steps, precision === 'fp32')
      const isFine = error <= limits[precision]
      if (!isFine) failures++
      errors.push(`${error.toExponential(1)}${isFine ? ' ' : '!'}`)
    } catch (error) {
      failures++
      console.log(`  ${name}, ${precision}: ${(error as Error).message.slice(0, 3000)}`)
      errors.push('failed')
    }
  }
  console.log(`${name.padEnd(36)}${errors.map((text) => text.padStart(12)).join('')}`)
}
for (const [name, build] of Object.entries(cases)) {
  const g = new GraphBuilder({ mode: 'train' })
  build(g).forEach((value, i) => {
    g.fetch(`y${i}`, value)
  })
  const graph = g.build()
  await line(name, graph, [feedsOf(graph)], tolerance)
}
/** Three steps' inputs. */
const stepsOf = (graph: Graph, rate: number): readonly Feeds[] =>
  Array.from({ length: 3 }, () => ({ ...feedsOf(graph, rate), w: new Float32Array(8).fill(0.125) }))
for (const [name, { graph, rate }] of Object.entries(networks)) {
  const trainings = Array.from({ length: 5 }, () => stepsOf(graph, rate))
  const worst = async (rounding: 'tf32' | 'bf16'): Promise<number> => {
    let most = 0
    for (const steps of trainings)
      most = Math.max(most, await errorOf(referenceExecutor({ rounding }), graph, steps, false))
    return most
  }
  const alone = { tf32: await worst('tf32'), bf16: await worst('bf16') }
  const limits = { fp32: TRAINED, tf32: TIMES_ROUNDING * alone.tf32, bf16: TIMES_ROUNDING * alone.bf16 }
  await line(name, graph, trainings[0], limits)
  const texts = ['', ...[alone.tf32, alone.bf16].map((error) => `${error.toExponential(1)} `)]
  console.log(
    `${'  rounding alone, worst of five'.padEnd(36)}${texts.map((text) => text.padStart(12)).join('')}`,
  )
}
console.log(
  failures === 0 ? 'all within their tolerance' : `${failures} are not within their tolerance (marked !)`,
)
process.exit(failures === 0 ? 0 : 1)
