import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gradients } from '../../autodiff/gradients.js'
import { GraphBuilder } from '../../graph/builder.js'
import { type Graph, sizeOf } from '../../graph/graph.js'
import { add, mul, relu, sum, tanh } from '../../graph/values.js'
import { batchNorm } from '../../layers/batch-norm.js'
import { conv2d, dropout, globalMean, maxPool } from '../../layers/layers.js'
import { checkedOnnx } from '../../testing/checked-onnx.js'
import { TestRandom } from '../../testing/random.js'
import type { Executor, Feeds } from '../executor.js'
import { referenceExecutor } from '../reference/reference.js'
import { blockSize } from './runtime.js'

/** Channels in whole blocks take other paths than the few channels of the random graphs: the same law for those. */

interface Shape {
  readonly batch: number
  readonly from: number
  readonly channels: number
  readonly height: number
  readonly width: number
  readonly kernel: number
  readonly stride: number
  readonly padding: number
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  batch: fc.constantFrom(1, 2, 3, 16, 18),
  from: fc.constantFrom(3, 16, 32),
  channels: fc.constantFrom(16, 32),
  height: fc.integer({ min: 4, max: 8 }),
  width: fc.integer({ min: 4, max: 8 }),
  kernel: fc.constantFrom(1, 2, 3, 4),
  stride: fc.integer({ min: 1, max: 3 }),
  padding: fc.integer({ min: 0, max: 2 }),
})

/** Two blocks: one that changes the shape, one with a residual; everything is differentiated. */
function network({ batch, from, channels, height, width, kernel, stride, padding }: Shape): Graph {
  const g = new GraphBuilder({ mode: 'train', seed: 3 })
  const x = g.feed('x', [batch, from, height, width])
  const first = conv2d(x, 'conv1', { channels, kernel, stride, padding })
  const h = relu(batchNorm(first, 'bn1'))
  const inner = conv2d(h, 'conv2', { channels, kernel: 3, padding: 1, bias: false })
  const dropped = dropout(batchNorm(inner, 'bn2'), 'drop', { rate: 0.3, by: 'channel' })
  const joined = relu(add(batchNorm(conv2d(h, 'short', { channels, kernel: 1 }), 'bn3'), dropped))
  const loss = sum(mul(tanh(globalMean(relu(add(joined, h)))), g.feed('w', [batch, channels])))
  const parameters = g.parameters()
  const found = gradients(loss, [x, ...parameters.map(({ value }) => value)])
  for (const [i, value] of [first, joined, loss, ...found].entries()) g.fetch(`y${i}`, value)
  return g.build()
}

function feedsOf(graph: Graph): Feeds {
  const random = new TestRandom(7)
  return Object.fromEntries(
    graph.feeds.map(({ name, tensor, dropout: mask }) => {
      const size = sizeOf(graph.tensors[tensor].shape)
      const draw = (): number => (mask ? Number(random.uniform(0, 1) < mask.keep) : random.uniform(-1, 1))
      return [name, Float32Array.from({ length: size }, draw)]
    }),
  )
}

async function expectAgreement(graph: Graph, executor: Executor = checkedOnnx()): Promise<void> {
  const [ours, oracle] = await Promise.all([executor.compile(graph), referenceExecutor().compile(graph)])
  const feeds = feedsOf(graph)
  const [got, expected] = [await ours.run(feeds), await oracle.run(feeds)]
  for (const { name } of graph.fetches) {
    const size = Array.from(expected[name]).reduce((most, value) => Math.max(most, Math.abs(value)), 1)
    const gap = Array.from(got[name]).reduce(
      (most, value, i) => Math.max(most, Math.abs(value - expected[name][i])),
      0,
    )
    expect(gap, name).toBeLessThan(1e-4 * size)
  }
  await ours.dispose()
}

const reaches = ({ height, width, kernel, padding }: Shape): boolean =>
  padding < kernel && Math.min(height, width) + 2 * padding >= kernel

describe('blocked images', () => {
  it('agree with the reference for all strides, paddings, kernels and batch sizes', async () => {
    expect([0, 8, 16]).toContain(await blockSize())
    await fc.assert(
      fc.asyncProperty(shapes.filter(reaches), (shape) => expectAgreement(network(shape))),
      { numRuns: 30 },
    )
  })
})

describe('standard operators alone, for machines without the blocked ones', () => {
  it('agree with the reference too', async () => {
    const executor = checkedOnnx({ blocked: false })
    await fc.assert(
      fc.asyncProperty(shapes.filter(reaches), (shape) => expectAgreement(network(shape), executor)),
      { numRuns: 10 },
    )
  })
})

describe('phases', () => {
  it('agree with the reference, equal entries of a window included', async () => {
    const sizes = fc.record({
      batch: fc.integer({ min: 1, max: 3 }),
      from: fc.integer({ min: 1, max: 3 }),
      channels: fc.integer({ min: 1, max: 5 }),
      half: fc.integer({ min: 1, max: 3 }),
      kernel: fc.integer({ min: 1, max: 4 }),
      stride: fc.integer({ min: 1, max: 2 }),
      padding: fc.integer({ min: 0, max: 1 }),
      flat: fc.boolean(),
    })
    const draw = sizes.filter(({ kernel, padding }) => padding < kernel)
    await fc.assert(
      fc.asyncProperty(draw, ({ batch, from, channels, half, kernel, stride, padding, flat }) => {
        const side = (2 * half - 1) * stride + kernel - 2 * padding
        const g = new GraphBuilder({ mode: 'train' })
        const x = g.feed('x', [batch, from, Math.max(side, 1), Math.max(side, 1)])
        const y = conv2d(flat ? mul(x, 0) : x, 'conv', { channels, kernel, stride, padding })
        const loss = sum(tanh(maxPool(relu(y), 2)))
        const parameters = g.parameters()
        const found = gradients(loss, [x, ...parameters.map(({ value }) => value)])
        for (const [i, value] of [y, loss, ...found].entries()) g.fetch(`y${i}`, value)
        return expectAgreement(g.build())
      }),
      { numRuns: 40 },
    )
  })
})
