import { describe, expect, it } from 'vitest'
import { gradients } from '../autodiff/gradients.js'
import { referenceExecutor } from '../executors/reference/reference.js'
import { GraphBuilder, type Value } from '../graph/builder.js'
import { type Graph, sizeOf } from '../graph/graph.js'
import { initialValues } from '../graph/init.js'
import { crossEntropy, mean, relu } from '../graph/values.js'
import { conv2d, flatten, linear, maxPool } from '../layers/layers.js'
import { adam } from '../optim/adam.js'
import { minimize } from '../optim/minimize.js'
import { sgd } from '../optim/sgd.js'
import { evaluation, weightedStep } from './graphs.js'
import { lenet } from './lenet.js'
import { resnet18, resnet34, resnet50 } from './resnet.js'

function parameterCount({ variables, tensors }: Graph): number {
  return variables
    .filter(({ role }) => role === 'parameter')
    .reduce((total, { tensor }) => total + sizeOf(tensors[tensor].shape), 0)
}

describe('models', () => {
  // Counts of the networks as they are published; the stem's padding does not change them.
  it.each([
    ['LeNet', lenet(), 44_426],
    ['ResNet18, 10 classes', resnet18(), 11_173_962],
    ['ResNet34, 100 classes', resnet34({ classes: 100 }), 21_328_292],
    ['ResNet50, ImageNet', resnet50({ classes: 1000 }), 25_557_032],
  ])('%s has its %# parameters', (_, model, count) => {
    const graph = evaluation(model, 2)
    expect(parameterCount(graph)).toBe(count)
    const logits = graph.fetches.find(({ name }) => name === 'logits')!
    expect(graph.tensors[logits.tensor].shape).toEqual([2, model.classes])
  })

  it('has the stem without padding: 30 x 30 from 32 x 32', () => {
    const { nodes, tensors } = evaluation(resnet18(), 1)
    const stem = nodes.find(({ layer }) => layer === 'conv1')!
    expect(tensors[stem.outputs[0]].shape).toEqual([1, 64, 30, 30])
  })

  it('leaves the training parts out of the evaluation', () => {
    const graph = evaluation(resnet18({ dropout: 0.25 }), 1)
    expect(graph.updates).toEqual([])
    expect(graph.feeds.map(({ name }) => name)).toEqual(['x'])
    expect(graph.nodes.some(({ op }) => op.kind === 'batchNormTrain')).toBe(false)
  })

  it('drops channels where USDNL does, and only when told to', () => {
    const masks = (graph: Graph): number => graph.feeds.filter(({ dropout }) => dropout).length
    const step = (model: ReturnType<typeof lenet>) => weightedStep(model, { batch: 2, optimizer: sgd() })
    expect(masks(step(lenet()))).toBe(0)
    expect(masks(step(lenet({ dropout: 0.25 })))).toBe(2)
    expect(masks(step(resnet18({ dropout: 0.25 })))).toBe(8)
    expect(masks(step(resnet50()))).toBe(1)
    expect(masks(step(resnet50({ dropout: 0.25 })))).toBe(5)
    expect(masks(evaluation(lenet({ dropout: 0.25, dropoutAlways: true }), 2))).toBe(2)
    const { feeds, tensors } = step(lenet({ dropout: 0.25 }))
    const mask = feeds.find(({ name }) => name === 'drop1.mask')!
    expect(mask.dropout).toEqual({ keep: 0.75 })
    expect(tensors[mask.tensor].shape).toEqual([2, 6, 1, 1])
  })
})

describe('initial parameters', () => {
  const { variables, tensors } = evaluation(lenet(), 1)

  it('are uniform within 1/sqrt(inputs), as in PyTorch', () => {
    const inputs: Record<string, number> = { conv1: 25, conv2: 150, fc1: 256, fc2: 120, fc3: 84 }
    for (const { name, tensor, init } of variables) {
      const values = [...initialValues(init, tensors[tensor].shape)]
      const bound = 1 / Math.sqrt(inputs[name.split('.')[0]])
      expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(bound)
      if (values.length < 1000) continue
      // The mean square of a uniform is bound^2/3; its own spread is bound^2 sqrt(4/45/n).
      const square = values.reduce((total, v) => total + v * v, 0) / values.length
      const spread = bound ** 2 * Math.sqrt(4 / 45 / values.length)
      expect(Math.abs(square - bound ** 2 / 3)).toBeLessThan(4 * spread)
    }
  })

  it('depend on the seed and the name only', () => {
    const first = (seed: number, build: (x: Value) => void): ReadonlyMap<string, number> => {
      const g = new GraphBuilder({ seed })
      const x = g.feed('x', [1, 4])
      build(x)
      for (const [i, { value }] of g.parameters().entries()) g.fetch(`p${i}`, value)
      const graph = g.build()
      return new Map(
        graph.variables.map(({ name, tensor, init }) => [
          name,
          initialValues(init, graph.tensors[tensor].shape)[0],
        ]),
      )
    }
    const alone = first(1, (x) => linear(x, 'b', 3))
    const after = first(1, (x) => {
      linear(x, 'a', 3)
      linear(x, 'b', 3)
    })
    expect(after.get('b.weight')).toBe(alone.get('b.weight'))
    expect(after.get('a.weight')).not.toBe(alone.get('b.weight'))
    expect(first(2, (x) => linear(x, 'b', 3)).get('b.weight')).not.toBe(alone.get('b.weight'))
  })
})

describe("a user's own network", () => {
  /** Bright above or bright below? */
  const mine = (x: Value): Value => {
    let h = maxPool(relu(conv2d(x, 'conv', { channels: 4, kernel: 3 })), 2)
    h = relu(linear(flatten(h), 'hidden', 8))
    return linear(h, 'out', 2)
  }

  it.each([
    ['SGD', sgd({ momentum: 0.9 }), 0.1],
    ['Adam', adam(), 0.02],
  ])('learns, two of them in one graph, with %s', async (_, optimizer, rate) => {
    const g = new GraphBuilder({ mode: 'train', seed: 3 })
    const x = g.feed('x', [8, 1, 6, 6])
    const y = g.feed('y', [8], { dtype: 'i32' })
    const losses = ['net1', 'net2'].map((name) =>
      mean(
        crossEntropy(
          g.scope(name, () => mine(x)),
          y,
        ).losses,
      ),
    )
    for (const [i, loss] of losses.entries()) g.fetch(`loss${i}`, loss)
    const groups = ['net1', 'net2'].map((net) => ({
      rate: `rate.${net}`,
      has: (name: string) => name.startsWith(net),
    }))
    for (const [i, group] of groups.entries()) {
      const members = g.parameters().filter(({ name }) => group.has(name))
      const rateFeed = g.feed(group.rate, [])
      optimizer.update(
        members,
        gradients(
          losses[i],
          members.map(({ value }) => value),
        ),
        rateFeed,
      )
    }
    const labels = Int32Array.from({ length: 8 }, (_, i) => i % 2)
    const images = Float32Array.from({ length: 288 }, (_, i) => {
      const above = Math.floor((i % 36) / 18) === 0
      return (above === (Math.floor(i / 36) % 2 === 0) ? 1 : 0) + 0.1 * Math.sin(i)
    })
    const program = await referenceExecutor().compile(g.build())
    const feeds = { x: images, y: labels, 'rate.net1': rate, 'rate.net2': 0 }
    const all = await program.runMany(Array.from({ length: 60 }, () => feeds))
    expect(all[59].loss0[0]).toBeLessThan(0.1 * all[0].loss0[0])
    expect(all[59].loss1[0]).toBe(all[0].loss1[0])
  })

  it('is told which layer does not fit', () => {
    const g = new GraphBuilder({ mode: 'train' })
    expect(() => mine(g.feed('x', [8, 1, 2, 2]))).toThrow(
      'conv (conv2d): the window must fit into the padded image, [2, 2] + 2 x [0, 0], got [3, 3]',
    )
    const x = g.feed('y', [8, 3])
    expect(() => g.scope('net2', () => linear(flatten(x), 'out', 0))).toThrow(
      'net2.out.weight: lengths must be whole',
    )
    expect(() => conv2d(x, 'c', { channels: 1, kernel: 1 })).toThrow(
      'c: x must be [N, C, H, W], got "[8, 3]"',
    )
  })

  it('must have every parameter in a group, and no empty group', () => {
    const build = (groups: Parameters<typeof minimize>[2]) => () => {
      const g = new GraphBuilder({ mode: 'train' })
      const { losses } = crossEntropy(mine(g.feed('x', [8, 1, 6, 6])), g.feed('y', [8], { dtype: 'i32' }))
      minimize(mean(losses), sgd(), groups)
    }
    const head = { rate: 'rate.head', has: (name: string) => name.startsWith('out.') }
    expect(build([head])).toThrow('groups: must have every parameter, got "conv.weight"')
    expect(build([head, { rate: 'rate', has: () => true }])).not.toThrow()
    expect(build([{ rate: 'r', has: () => false }])).toThrow('group r: must have parameters')
  })
})
