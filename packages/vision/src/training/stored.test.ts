import {
  type Executor,
  type Model,
  openTraining,
  type Program,
  referenceExecutor,
  type StoredBatch,
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
  train: set(43),
  test: set(11),
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

/** The reference as an executor that keeps images: it counts the steps that it was given so. */
function keeping(counts: { stored: number }): Executor {
  const plain = referenceExecutor({ precision: 'float32' })
  return {
    ...plain,
    keepsImages: true,
    compile: async (graph, variables) => {
      const program: Program = await plain.compile(graph, variables)
      return {
        ...program,
        runStored: (steps) => {
          counts.stored += steps.length
          return program.runMany(steps.map(({ x, feeds }) => ({ x: valuesOf(x), ...feeds })))
        },
      }
    },
  }
}

async function trained(executor: Executor): Promise<unknown> {
  const splits = dataSplits(data, { batch: 8, seed: 4, noise: { type: 'symmetric', rate: 0.3 } })
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
  })
  const epochs: unknown[] = []
  for await (const { seconds, testSeconds, ...metrics } of training.epochs()) epochs.push(metrics)
  const result = { epochs, losses: training.state.losses, weights: await training.weights() }
  await training.dispose()
  await splits.close()
  return result
}

it('trains and measures on stored images bit for bit as on their values', async () => {
  const counts = { stored: 0 }
  const stored = await trained(keeping(counts))
  expect(stored).toEqual(await trained(referenceExecutor({ precision: 'float32' })))
  // 38 images to train on in batches of 8, 5 to validate and 11 to test on: 5 + 1 + 2 batches in each of 3 epochs.
  expect(counts.stored).toBe(24)
})
