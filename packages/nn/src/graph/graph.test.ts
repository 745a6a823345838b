import { describe, expect, it } from 'vitest'
import { GraphBuilder } from './builder.js'
import { add, exp, matmul } from './values.js'

describe('building a graph', () => {
  it('leaves out what no fetch or update needs', () => {
    const g = new GraphBuilder()
    const x = g.feed('x', [2])
    g.feed('unused', [3])
    exp(x)
    g.fetch('y', add(x, 1))
    const graph = g.build()
    expect(graph.nodes.map(({ op }) => op.kind)).toEqual(['constant', 'add'])
    expect(graph.feeds.map(({ name }) => name)).toEqual(['x'])
  })

  it('keeps a variable that is only written, and what it is written from', () => {
    const g = new GraphBuilder()
    g.variable('last', [2], 'state', { kind: 'fill', value: 0 })
    g.assign('last', exp(g.feed('x', [2])))
    const graph = g.build()
    expect(graph.variables.map(({ name }) => name)).toEqual(['last'])
    expect(graph.nodes.map(({ op }) => op.kind)).toEqual(['exp'])
  })

  it('says which layer, rule and shapes do not agree', () => {
    const g = new GraphBuilder()
    const x = g.feed('x', [4, 3])
    const w = g.feed('w', [5, 2])
    expect(() => g.inLayer('fc1', () => matmul(x, w))).toThrow(
      'fc1 (matmul): the inner lengths must agree (3 and 5), got "[4, 3] and [5, 2]"',
    )
  })

  it('refuses a name twice, unless the use is shared', () => {
    const g = new GraphBuilder()
    const parameter = () => g.variable('w', [2], 'parameter', { kind: 'fill', value: 1 })
    const first = parameter()
    expect(parameter).toThrow('names of layers must differ')
    expect(g.shared(parameter).id).toBe(first.id)
  })
})
