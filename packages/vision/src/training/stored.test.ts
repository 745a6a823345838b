import { setImmediate } from 'node:timers/promises'
import {
  type CheckpointStore,
  type Executor,
  type Model,
  openTraining,
  type Program,
  referenceExecutor,
  type StoredBatch,
  type StoredStep,
  type TrainOptions,
} from '@rlvi/nn'
import { conv2d, globalMean, linear } from '@rlvi/nn/layers'
import { rlvi } from '@rlvi/nn/methods'
import { relu } from '@rlvi/nn/ops'
import { constantRate, sgd } from '@rlvi/nn/optim'
import { draws } from 'rlvi/random'
import { expect, it } from 'vitest'
import type { DataSet } from '../data/data-set.js'
import type { ImageSet } from '../data/image-set.js'
import { cifarPreparation } from '../data/loading/transform.js'
import { dataSplits } from './data-splits.js'

const random = draws('stored', 1)
const classes = ['a', 'b', 'c']
const set = (n: number): ImageSet => ({
  name: 'noise',
  classes,
  channels: 3,
  height: 6,
  width: 6,
  pixels: Uint8Array.from({ length: n * 108 }, () => Math.floor(random.uniform(0, 256))),
  labels: Uint8Array.from({ length: n }, () => Math.floor(random.uniform(0, 3))),
})
const data: DataSet = {
  name: 'noise',
  classes,
  train: set(293),
  test: set(270),
  preparation: cifarPreparation,
  open: false,
}

const model: Model = {
  name: 'small',
  image: [3, 6, 6],
  classes: 3,
  logits: (x) => linear(globalMean(relu(conv2d(x, 'conv', { channels: 4, kernel: 3 }))), 'out', 3),
}

/** The values that stored images stand for. */
function valuesOf({ images, samples, moves }: StoredBatch): Float32Array {
  const [c, h, w] = images.image
  return Float32Array.from({ length: samples.length * c * h * w }, (_, p) => {
    const [s, i, j] = [Math.floor(p / (c * h * w)), Math.floor(p / w) % h, p % w]
    const channel = Math.floor(p / (h * w)) % c
    const [down = 0, right = 0, flips = 0] = moves?.subarray(3 * s, 3 * s + 3) ?? []
    const a = ((flips & 2) !== 0 ? h - 1 - i : i) + down
    const b = ((flips & 1) !== 0 ? w - 1 - j : j) + right
    const isInside = a >= 0 && a < h && b >= 0 && b < w
    const byte = isInside ? images.pixels[((samples[s]! * c + channel) * h + a) * w + b]! : 0
    return images.values[channel * 256 + byte]!
  })
}

/** What an executor was asked for: steps on stored images, calls that have not ended, and the most of those at a time. */
interface Asked {
  stored: number
  open: number
  most: number
}
const nothing = (): Asked => ({ stored: 0, open: 0, most: 0 })

/** The reference as an executor that keeps images, and takes its time. */
function keeping(asked: Asked): Executor {
  const plain = referenceExecutor({ precision: 'float32' })
  return {
    ...plain,
    keepsImages: true,
    compile: async (graph, variables) => {
      const program: Program = await plain.compile(graph, variables)
      let last: Promise<unknown> = Promise.resolve()
      const run = async (before: Promise<unknown>, steps: readonly StoredStep[]) => {
        await before
        const all = await program.runMany(steps.map(({ x, feeds }) => ({ x: valuesOf(x), ...feeds })))
        await setImmediate()
        asked.open--
        return all
      }
      return {
        ...program,
        runStored: (steps) => {
          asked.stored += steps.length
          asked.open++
          asked.most = Math.max(asked.most, asked.open)
          const own = run(last, steps)
          last = own
          return own
        },
      }
    },
  }
}

async function trained(executor: Executor, options: Partial<TrainOptions> = {}): Promise<unknown> {
  const splits = dataSplits(data, { batch: 2, seed: 4, noise: { type: 'symmetric', rate: 0.3 } })
  const training = await openTraining({
    model,
    method: rlvi(),
    executor,
    data: splits.training,
    validation: splits.validation,
    ...(splits.test === undefined ? {} : { test: splits.test }),
    epochs: 3,
    optimizer: sgd({ momentum: 0.9 }),
    schedule: constantRate(0.05),
    seed: 2,
    ...options,
  })
  for await (const _ of training.epochs());
  const { losses, history } = training.state
  const epochs = history.map(({ seconds, testSeconds, ...metrics }) => metrics)
  const result = { epochs, losses, weights: await training.weights() }
  await training.dispose()
  await splits.close()
  return result
}

/** A checkpoint in memory, for which nothing may be under way. */
function keptIn(asked: Asked): CheckpointStore & { times: number } {
  let bytes: Uint8Array | undefined
  return {
    times: 0,
    read: async () => bytes,
    async write(given) {
      expect(asked.open).toBe(0)
      this.times++
      bytes = given
    },
  }
}

it('trains and measures on stored images bit for bit as on their values', async () => {
  const asked = nothing()
  const stored = await trained(keeping(asked))
  expect(stored).toEqual(await trained(referenceExecutor({ precision: 'float32' })))
  // 263 images to train on in batches of 2, 30 to validate and 270 to test on: 132 + 15 + 135 batches in each of 3 epochs.
  expect(asked.stored).toBe(846)
  // A call is made while the one before is under way.
  expect(asked.most).toBe(2)
})

it('is kept whole between two calls, and goes on from there with the same numbers', async () => {
  const expected = await trained(referenceExecutor({ precision: 'float32' }))
  const asked = nothing()
  const often = keptIn(asked)
  expect(await trained(keeping(asked), { checkpoint: often, checkpointSeconds: 0 })).toEqual(expected)
  // Calls of 64 steps, 64, 3, and one for the smaller last batch: at least after three of them, and after the epoch.
  expect(often.times).toBeGreaterThanOrEqual(12)

  for (const last of [1, 64, 67, 131, 132, 200]) {
    const checkpoint = keptIn(asked)
    const stop = new AbortController()
    let steps = 0
    let before = 0
    await trained(keeping(asked), {
      checkpoint,
      signal: stop.signal,
      onProgress: ({ step }) => {
        steps += step > before ? step - before : step
        before = step
        if (steps >= last) stop.abort()
      },
    })
    expect(steps).toBeLessThan(396)
    expect(await trained(keeping(asked), { checkpoint })).toEqual(expected)
  }
})
