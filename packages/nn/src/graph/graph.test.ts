import { describe, expect, it } from 'vitest'
import { referenceExecutor } from '../executors/reference/reference.js'
import { GraphBuilder } from './builder.js'
import { add, exp, matmul, mul, smallest, sum } from './values.js'

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
    const parameter = () => g.resident('w', [2], 'parameter', { kind: 'fill', value: 1 })
    const first = parameter()
    expect(parameter).toThrow('names of layers must differ')
    expect(g.shared(parameter).id).toBe(first.id)
  })
})

describe('running a graph', () => {
  it('updates residents after the run and shares them between programs', async () => {
    const g = new GraphBuilder()
    const w = g.resident('w', [2], 'parameter', { kind: 'values', values: [1, 2] })
    const x = g.feed('x', [2])
    g.assign('w', add(w, x))
    g.fetch('total', sum(mul(w, x)))
    const read = new GraphBuilder()
    read.fetch('w', add(read.resident('w', [2], 'parameter', { kind: 'fill', value: 0 }), 0))

    const executor = referenceExecutor()
    const step = await executor.compile(g.build())
    const show = await executor.compile(read.build(), step.residents)
    const fetches = await step.runMany([{ x: new Float32Array([1, 1]) }, { x: new Float32Array([0, 1]) }])
    expect(fetches.map(({ total }) => total[0])).toEqual([3, 3])
    expect([...(await show.run({})).w]).toEqual([2, 4])
    await step.residents.write('w', [7, 8])
    expect([...(await show.run({})).w]).toEqual([7, 8])
  })

  it('keeps exactly k smallest entries, the first of equal ones', async () => {
    const g = new GraphBuilder()
    g.fetch('mask', smallest(g.feed('x', [5]), g.feed('k', [])))
    const program = await referenceExecutor().compile(g.build())
    const mask = async (k: number) => [
      ...(await program.run({ x: new Float32Array([3, 1, 1, 1, 0]), k })).mask,
    ]
    expect(await mask(0)).toEqual([0, 0, 0, 0, 0])
    expect(await mask(3)).toEqual([0, 1, 1, 0, 1])
    expect(await mask(9)).toEqual([1, 1, 1, 1, 1])
  })

  it('names a feed that is missing, of the wrong size, or unknown', async () => {
    const g = new GraphBuilder()
    g.fetch('y', exp(g.feed('x', [2])))
    const program = await referenceExecutor().compile(g.build())
    await expect(program.run({})).rejects.toThrow('run: needs the feed x [2]')
    await expect(program.run({ x: new Float32Array(3) })).rejects.toThrow('feed x: must have 2 entries')
    await expect(program.run({ x: new Float32Array(2), z: 1 })).rejects.toThrow('feeds must be among x')
  })
})
