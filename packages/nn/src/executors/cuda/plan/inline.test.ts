import { expect, it } from 'vitest'
import { GraphBuilder, type Value } from '../../../graph/builder.js'
import { add, matmul, mul, relu, sum, tanh } from '../../../graph/values.js'
import { batchNorm } from '../../../layers/batch-norm.js'
import { conv2d } from '../../../layers/layers.js'
import { tensorsInMemory } from './inline.js'

/** The kinds of operations whose first result lies in memory. */
function inMemory(build: (g: GraphBuilder) => Value): string[] {
  const g = new GraphBuilder({ mode: 'train' })
  g.fetch('y', build(g))
  const graph = g.build()
  const found = tensorsInMemory(graph)
  return graph.nodes.filter(({ outputs }) => found.has(outputs[0])).map(({ op }) => op.kind)
}

it('writes a convolution and what follows it once: normalisation, sum and relu in one kernel', () => {
  const kinds = inMemory((g) => {
    const x = g.feed('x', [4, 8, 6, 6])
    const h = batchNorm(conv2d(x, 'conv', { channels: 8, kernel: 3, padding: 1, bias: false }), 'bn')
    return relu(add(h, x))
  })
  // The running statistics are updates, so they are in memory as far as this says; the planner writes them with the sums.
  expect(kinds.filter((kind) => kind !== 'add')).toEqual(['conv2d', 'relu'])
})

it('computes in place what one kernel reads, and writes what several read at some cost', () => {
  const chain = inMemory((g) => sum(tanh(mul(g.feed('x', [64]), g.feed('z', [64])))))
  expect(chain).toEqual(['reduceSum'])
  const shared = inMemory((g) => {
    const product = mul(g.feed('x', [64]), g.feed('z', [64]))
    return add(sum(tanh(product)), sum(product))
  })
  expect(shared).toEqual(['mul', 'reduceSum', 'reduceSum', 'add'])
})

it('puts operands of products into memory', () => {
  expect(inMemory((g) => matmul(relu(g.feed('x', [4, 5])), g.feed('w', [5, 6])))).toEqual(['relu', 'matmul'])
})
