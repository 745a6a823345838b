import { expect, it } from 'vitest'
import { GraphBuilder } from '../graph/builder.js'
import { add, exp, mul, reshape, smallest, sum, take } from '../graph/values.js'
import { evaluation, weightedStep } from '../models/graphs.js'
import { sgd } from '../optim/sgd.js'
import { miniResNet } from '../testing/mini-resnet.js'
import { TestRandom } from '../testing/random.js'
import type { Executor } from './executor.js'

/** What an executor promises beside right numbers. */
export function executorLaws(executor: () => Executor): void {
  it('updates variables after the run and shares them between programs', async () => {
    const g = new GraphBuilder()
    const w = g.variable('w', [2], 'parameter', { kind: 'values', values: [1, 2] })
    const x = g.feed('x', [2])
    g.assign('w', add(w, x))
    g.fetch('total', sum(mul(w, x)))
    const reader = new GraphBuilder()
    reader.fetch('w', add(reader.variable('w', [2], 'parameter', { kind: 'fill', value: 0 }), 0))

    const runs = executor()
    const step = await runs.compile(g.build(), runs.variables())
    const show = await runs.compile(reader.build(), step.variables)
    const fetches = await step.runMany([{ x: new Float32Array([1, 1]) }, { x: new Float32Array([0, 1]) }])
    expect(fetches.map(({ total }) => total[0])).toEqual([3, 3])
    expect([...(await show.run({})).w]).toEqual([2, 4])
    await step.variables.write('w', [7, 8])
    expect([...(await show.run({})).w]).toEqual([7, 8])
    expect([...(await step.variables.read('w'))]).toEqual([7, 8])
    expect(step.variables.has('w')).toBe(true)
    expect(step.variables.names()).toEqual(['w'])
    await expect(step.variables.write('w', [1])).rejects.toThrow('w: needs 2 values for [2], got 1')
    await expect(step.variables.read('v')).rejects.toThrow('variables: must name a variable, got "v"')
    const other = new GraphBuilder()
    other.fetch('w', exp(other.variable('w', [3], 'parameter', { kind: 'fill', value: 0 })))
    await expect(runs.compile(other.build(), step.variables)).rejects.toThrow(
      'w: is [2] in these variables, got "[3]"',
    )
    await step.dispose()
    await show.dispose()
    await step.variables.dispose()
  })

  it('may exchange two variables, fetch one as it is, and fetch one value twice', async () => {
    const g = new GraphBuilder()
    const a = g.variable('a', [1], 'state', { kind: 'fill', value: 1 })
    const b = g.variable('b', [1], 'state', { kind: 'fill', value: 2 })
    g.assign('a', b)
    g.assign('b', a)
    g.fetch('a', a)
    g.fetch('again', a)
    g.fetch('x', g.feed('x', [1]))
    const program = await executor().compile(g.build())
    const x = new Float32Array([5])
    const first = await program.run({ x })
    const second = await program.run({ x })
    expect([first.a[0], first.again[0], first.x[0], second.a[0]]).toEqual([1, 1, 5, 2])
    // What was handed out is the caller's: changing it changes nothing here.
    second.a[0] = 99
    expect([(await program.variables.read('a'))[0], (await program.variables.read('b'))[0]]).toEqual([1, 2])
    const copy = await program.variables.read('a')
    copy[0] = 99
    expect((await program.run({ x })).a[0]).toBe(1)
    await program.dispose()
  })

  it('hands out results that a later run does not change, and leaves its inputs alone', async () => {
    const g = new GraphBuilder()
    const x = g.feed('x', [3])
    g.fetch('y', mul(x, 2))
    g.fetch('same', reshape(x, [3, 1]))
    const program = await executor().compile(g.build())
    const input = new Float32Array([1, 2, 3])
    const first = await program.run({ x: input })
    input.fill(9)
    await program.run({ x: input })
    expect([...first.y, ...first.same]).toEqual([2, 4, 6, 1, 2, 3])
    expect([...input]).toEqual([9, 9, 9])
    await program.dispose()
  })

  it('keeps exactly k smallest entries, the first of equal ones', async () => {
    const g = new GraphBuilder()
    g.fetch('mask', smallest(g.feed('x', [5]), g.feed('k', [])))
    const program = await executor().compile(g.build())
    const mask = async (k: number) => [
      ...(await program.run({ x: new Float32Array([3, 1, 1, 1, 0]), k })).mask,
    ]
    expect(await mask(0)).toEqual([0, 0, 0, 0, 0])
    expect(await mask(3)).toEqual([0, 1, 1, 0, 1])
    expect(await mask(9)).toEqual([1, 1, 1, 1, 1])
    await program.dispose()
  })

  it('takes rows of data that are kept as variables, labels too', async () => {
    const g = new GraphBuilder()
    const images = g.variable('images', [3, 2], 'data', { kind: 'values', values: [0, 1, 2, 3, 4, 5] })
    const rows = g.feed('rows', [2], { dtype: 'i32' })
    g.fetch('taken', take(images, rows))
    const program = await executor().compile(g.build())
    const { taken } = await program.run({ rows: new Int32Array([2, 0]) })
    expect([...taken]).toEqual([4, 5, 0, 1])
    await program.dispose()
  })

  it('does the same in one call of many steps as in many calls', async () => {
    const model = miniResNet()
    const graph = weightedStep(model, { batch: 3, optimizer: sgd({ momentum: 0.9 }), seed: 5 })
    const random = new TestRandom(1)
    const steps = Array.from({ length: 4 }, () => ({
      x: Float32Array.from(random.uniforms(3 * 432, -1, 1)),
      y: Int32Array.from({ length: 3 }, () => random.whole(0, 9)),
      w: Float32Array.from({ length: 3 }, () => 1 / 3),
      rate: random.uniform(0.01, 0.1),
    }))
    const runs = executor()
    const one = await runs.compile(graph)
    const many = await runs.compile(graph)
    const together = await many.runMany(steps)
    for (const [i, feeds] of steps.entries()) expect(await one.run(feeds)).toEqual(together[i])
    for (const name of one.variables.names()) {
      expect(await many.variables.read(name)).toEqual(await one.variables.read(name))
    }
    expect(await many.runMany([])).toEqual([])

    // A step for the last, smaller batch, and the evaluation, go on with the same parameters and momentum.
    const before = await one.variables.read('linear.bias/velocity')
    const last = await runs.compile(
      weightedStep(model, { batch: 2, optimizer: sgd({ momentum: 0.9 }) }),
      one.variables,
    )
    const { x, y, rate } = steps[0]
    await last.run({ x: x.slice(0, 864), y: y.slice(0, 2), w: new Float32Array([0.5, 0.5]), rate })
    const after = await one.variables.read('linear.bias/velocity')
    // Gradients of the bias add up to 0 over the classes, but none of them is 0.
    expect([...after].every((v, i) => Math.abs(v - 0.9 * before[i]) > 1e-6)).toBe(true)
    const judge = await runs.compile(evaluation(model, 3), one.variables)
    const { probabilities } = await judge.run({ x })
    for (let i = 0; i < 3; i++) {
      const total = [...probabilities.slice(10 * i, 10 * i + 10)].reduce((a, b) => a + b, 0)
      expect(Math.abs(total - 1)).toBeLessThan(1e-5)
    }
    for (const program of [one, many, last, judge]) await program.dispose()
  })

  it('shows it in the losses when a parameter is not a number', async () => {
    const program = await executor().compile(weightedStep(miniResNet(), { batch: 2, optimizer: sgd() }))
    await program.variables.write('linear.weight', new Float32Array(160).fill(Number.NaN))
    const feeds = { x: new Float32Array(864).fill(1), y: new Int32Array(2), w: new Float32Array(2), rate: 0 }
    const { losses } = await program.run(feeds)
    expect([...losses]).toEqual([Number.NaN, Number.NaN])
    await program.dispose()
  })

  it('names a feed that is missing, of the wrong size or kind, or unknown', async () => {
    const g = new GraphBuilder()
    g.fetch('y', exp(g.feed('x', [2])))
    const program = await executor().compile(g.build())
    await expect(program.run({})).rejects.toThrow('run: needs the feed x [2]')
    await expect(program.run({ x: new Float32Array(3) })).rejects.toThrow('feed x: must have 2 entries')
    await expect(program.run({ x: new Int32Array(2) })).rejects.toThrow('feed x: must be a Float32Array')
    await expect(program.run({ x: new Float32Array(2), z: 1 })).rejects.toThrow('feeds must be among x')
    await program.dispose()
  })
}
