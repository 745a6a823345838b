import { describe, expect, it } from 'vitest'
import type { Executor, Program } from '../executors/executor.js'
import { onnxExecutor } from '../executors/onnx/onnx.js'
import { referenceExecutor } from '../executors/reference/reference.js'
import { constantRate } from '../optim/schedules.js'
import { sgd } from '../optim/sgd.js'
import { blobs, tiny } from '../testing/blobs.js'
import { type EvaluationData, memoryData, memoryEvaluation, type TrainingData } from './data.js'
import { keptShares } from './kept-shares.js'
import type { Method } from './method.js'
import { bare } from './methods/bare.js'
import { cdr } from './methods/cdr.js'
import { coteaching } from './methods/coteaching.js'
import { rlvi } from './methods/rlvi.js'
import { standard } from './methods/standard.js'
import { usdnl } from './methods/usdnl.js'
import { reportedEpoch } from './reported-epoch.js'
import { initialState } from './state.js'
import { openTraining, type TrainOptions } from './train.js'

const noisy = blobs(70, 1, 0.3)
const clean = blobs(40, 2)
const options: TrainOptions = {
  model: tiny(),
  method: standard(),
  executor: referenceExecutor(),
  data: memoryData({ ...noisy, batch: 16 }),
  validation: memoryEvaluation({ ...blobs(30, 3, 0.3), batch: 16 }),
  test: memoryEvaluation({ ...clean, batch: 16 }),
  epochs: 3,
  optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }),
  schedule: constantRate(0.1),
}

async function trained(changes: Partial<TrainOptions>): Promise<{
  readonly weights: Record<string, readonly number[]>
  readonly test: number
  readonly clean: readonly number[]
}> {
  const training = await openTraining({ ...options, ...changes })
  let test = 0
  for await (const metrics of training.epochs()) test = metrics.test ?? 0
  const weights = Object.fromEntries(
    [...(await training.weights())].map(([name, { values }]) => [name, Array.from(values as Float32Array)]),
  )
  const clean = Array.from(training.state.clean)
  await training.dispose()
  return { weights, test, clean }
}

describe('training', () => {
  it('learns, and the same seed gives the same result', async () => {
    const run = { epochs: 8, executor: onnxExecutor(), data: memoryData({ ...blobs(200, 4), batch: 16 }) }
    const first = await trained(run)
    expect(first.test).toBeGreaterThan(0.9)
    expect(await trained(run)).toEqual(first)
    expect((await trained({ ...run, seed: 2 })).weights).not.toEqual(first.weights)
  })

  it('with all weights 1 RLVI is the standard method, bit for bit', async () => {
    const { endEpoch: _, ...without } = rlvi()
    const unweighted: Method = without
    expect(await trained({ method: unweighted })).toEqual(await trained({}))
    expect(await trained({ method: rlvi() })).not.toEqual(await trained({}))
  })

  it('goes through an epoch in the order of Algorithm 2', async () => {
    const said: string[] = []
    const losses: number[][] = []
    const method: Method = {
      ...standard(),
      endEpoch: ({ losses: stored, history }, { epoch, classes }) => {
        said.push(`end ${epoch} after ${history.length}, ${classes} classes`)
        losses.push(Array.from(stored))
      },
      validated: (_, accuracies) => {
        said.push(`validated ${accuracies.length}`)
      },
    }
    const training = await openTraining({ ...options, method, epochs: 2 })
    for await (const { epoch, validation } of training.epochs()) {
      said.push(`epoch ${epoch}`)
      expect(validation).toBe((await training.evaluate(options.validation as EvaluationData)).accuracy)
    }
    await training.dispose()
    expect(said).toEqual([
      'end 1 after 0, 3 classes',
      'validated 1',
      'epoch 1',
      'end 2 after 1, 3 classes',
      'validated 2',
      'epoch 2',
    ])
    // Every sample's loss is stored anew in each epoch.
    losses[0].forEach((loss, i) => {
      expect(loss).toBeGreaterThan(0)
      expect(losses[1][i]).not.toBe(loss)
    })
  })

  it('hears a signal though its executor never waits', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 60)
    const training = await openTraining({ ...options, epochs: 500, signal: stop.signal })
    for await (const _ of training.epochs());
    expect(training.state.epoch).toBeLessThan(500)
    await training.dispose()
  })

  it('stores the losses from before the update', async () => {
    const training = await openTraining({ ...options, data: memoryData({ ...noisy, batch: 70 }), epochs: 1 })
    const before = await training.evaluate(memoryEvaluation({ ...noisy, batch: 70 }))
    for await (const { loss, train } of training.epochs()) {
      expect(train).toBe(before.accuracy)
      expect(loss).toBeCloseTo(training.state.losses.reduce((sum, l) => sum + l, 0) / 70, 12)
    }
    training.state.losses.forEach((loss, i) => {
      expect(loss).toBeCloseTo(-Math.log(before.probabilities[3 * i + noisy.labels[i]]), 5)
    })
    await training.dispose()
  })

  it('tells what a method keeps of the good and the wrong samples', () => {
    const state = initialState(5)
    state.clean.set([1, 0.5, 0.2, 0, 0.5])
    state.threshold = 0.5
    state.kept.set([1, 0, 1, 1, 0])
    const corrupt = [0, 0, 1, 1, 0]
    // A weight equal to the threshold does not count as kept.
    expect(keptShares(rlvi(), state, corrupt)).toEqual({ cleanKept: 1 / 3, corruptCaught: 1 })
    expect(keptShares(bare(), state, corrupt)).toEqual({ cleanKept: 1 / 3, corruptCaught: 0 })
    expect(keptShares(standard(), state, corrupt)).toEqual({})
    expect(keptShares(rlvi(), state, [0, 0, 0, 0, 0])).toEqual({ cleanKept: 1 / 5 })
  })

  it('reports the last epoch, and for CDR the one with the best validation accuracy', () => {
    const past = { rates: {}, loss: 1, train: 0, seconds: 0, testSeconds: 0 }
    const history = [0.5, 0.8, 0.8, 0.6].map((validation, i) => ({ ...past, epoch: i + 1, validation }))
    expect(reportedEpoch(rlvi(), history)?.epoch).toBe(4)
    expect(reportedEpoch(cdr({ assumed: 0.2 }), history)?.epoch).toBe(2)
    expect(reportedEpoch(rlvi(), [])).toBeUndefined()
  })

  it('trains groups at their own rates, in both networks', async () => {
    const groups = [
      { rate: 'head', has: (name: string) => name.startsWith('out.') },
      { rate: 'body', has: () => true },
    ]
    const schedule = { head: constantRate(0.1), body: constantRate(0) }
    const method = coteaching({ assumed: 0.3 })
    const training = await openTraining({ ...options, method, groups, schedule, epochs: 1 })
    const before = await training.weights()
    for await (const { rates } of training.epochs()) expect(rates).toEqual({ head: 0.1, body: 0 })
    for (const [name, { values }] of await training.weights()) {
      const moved = (values as Float32Array).some((value, i) => value !== before.get(name)?.values[i])
      expect(moved, name).toBe(name.startsWith('out.'))
    }
    await training.dispose()
    await expect(
      openTraining({ ...options, groups, schedule: { head: constantRate(0.1) } }).then((t) =>
        t.epochs().next(),
      ),
    ).rejects.toThrow('schedule: must have a rate for the group body')
  })

  it.each<readonly [string, TrainingData['batches'], string]>([
    ['too few batches', async function* () {}, 'training data: an epoch must have 5 batches, got 0'],
    [
      'a batch of another size',
      async function* () {
        yield { x: new Float32Array(36), y: Int32Array.of(0), indices: Int32Array.of(0) }
      },
      'training data: batch 0 must have 16 samples, got 1',
    ],
  ])('refuses data with %s', async (_, batches, message) => {
    const training = await openTraining({ ...options, data: { ...options.data, batches } })
    await expect(training.epochs().next()).rejects.toThrow(message)
    await training.dispose()
  })

  it('refuses evaluation data that do not have what they say', async () => {
    const training = await openTraining(options)
    const data = { ...memoryEvaluation({ ...clean, batch: 16 }), samples: 41 }
    await expect(training.evaluate(data)).rejects.toThrow('evaluation data: must have 41 samples, got 40')
    await expect(training.evaluate({ ...data, samples: 20 })).rejects.toThrow('must have 20 samples, got 32')
    await training.dispose()
    await expect(openTraining({ ...options, epochs: 0 })).rejects.toThrow('train: epochs must be whole')
  })

  it('draws dropout anew for each step of each epoch', async () => {
    const masks: string[] = []
    const executor = referenceExecutor()
    const watched: Executor = {
      ...executor,
      compile: async (graph, variables) => {
        const program = await executor.compile(graph, variables)
        const runMany: Program['runMany'] = (steps) => {
          masks.push(...steps.map((feeds) => String(feeds['drop.mask'])))
          return program.runMany(steps)
        }
        return { ...program, runMany }
      },
    }
    const run = {
      method: usdnl({ assumed: 0.3 }),
      model: tiny({ dropout: 0.5 }),
      epochs: 2,
      executor: watched,
    }
    await trained(run)
    expect(masks).toHaveLength(10)
    expect(new Set(masks).size).toBe(10)
    await trained(run)
    expect(masks.slice(10)).toEqual(masks.slice(0, 10))
  })
})
