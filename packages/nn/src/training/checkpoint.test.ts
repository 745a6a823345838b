import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { onnxExecutor } from '../executors/onnx/onnx.js'
import { referenceExecutor } from '../executors/reference/reference.js'
import { adam } from '../optim/adam.js'
import { constantRate, cosine } from '../optim/schedules.js'
import { sgd } from '../optim/sgd.js'
import { blobs, tiny } from '../testing/blobs.js'
import type { CheckpointStore } from './checkpoint.js'
import { memoryData, memoryEvaluation } from './data.js'
import { coteaching } from './methods/coteaching.js'
import { posterior } from './methods/posterior.js'
import { rlvi } from './methods/rlvi.js'
import { standard } from './methods/standard.js'
import { usdnl } from './methods/usdnl.js'
import { openTraining, type TrainOptions } from './train.js'

function store(): CheckpointStore & { bytes: Uint8Array | undefined } {
  return {
    bytes: undefined,
    async read() {
      return this.bytes
    },
    async write(bytes) {
      this.bytes = bytes
    },
  }
}

const options: TrainOptions = {
  model: tiny({ normalised: true }),
  method: rlvi(),
  executor: referenceExecutor(),
  data: memoryData({ ...blobs(150, 1, 0.3), batch: 2 }),
  validation: memoryEvaluation({ ...blobs(20, 2, 0.3), batch: 20 }),
  epochs: 4,
  optimizer: sgd({ momentum: 0.9 }),
  schedule: constantRate(0.02),
}

interface Result {
  readonly weights: readonly (readonly [string, readonly number[]])[]
  readonly state: unknown
}

/** Trains, interrupted after every so many calls, until it is done. */
async function trained(changes: Partial<TrainOptions>, calls = Number.POSITIVE_INFINITY): Promise<Result> {
  const checkpoint = store()
  for (;;) {
    const stop = new AbortController()
    let left = calls
    const onProgress = (): void => {
      left--
      if (left === 0) stop.abort()
    }
    const training = await openTraining({
      ...options,
      ...changes,
      checkpoint,
      signal: stop.signal,
      onProgress,
    })
    for await (const _ of training.epochs());
    if (stop.signal.aborted && training.state.epoch < options.epochs) {
      await training.dispose()
      continue
    }
    const weights = [...(await training.weights())].map(
      ([name, { values }]) => [name, Array.from(values as Float32Array)] as const,
    )
    const { seconds: _, history, ...rest } = training.state
    const facts = history.map(({ seconds, testSeconds, ...each }) => each)
    await training.dispose()
    return { weights, state: { ...rest, facts } }
  }
}

describe('a training that is interrupted', () => {
  it.each([
    ['RLVI', rlvi(), {}],
    ['true labels', posterior({ warmUp: 2 }), {}],
    ['two networks', coteaching({ assumed: 0.3 }), {}],
    ['dropout', usdnl({ assumed: 0.3 }), { model: tiny({ dropout: 0.25 }) }],
    ['Adam', standard(), { optimizer: adam() }],
    ['ONNX Runtime', rlvi(), { executor: onnxExecutor() }],
  ] as const)('goes on as if nothing had been: %s', async (_, method, changes) => {
    const whole = await trained({ method, ...changes })
    // An epoch takes two calls and one for the validation's rest: stops fall on the middle and on the end.
    expect(await trained({ method, ...changes }, 3)).toEqual(whole)
    expect(await trained({ method, ...changes }, 1)).toEqual(whole)
  })
})

async function saved(
  changes: Partial<TrainOptions> = {},
): Promise<CheckpointStore & { bytes: Uint8Array | undefined }> {
  const checkpoint = store()
  const training = await openTraining({ ...options, epochs: 1, ...changes, checkpoint })
  for await (const _ of training.epochs());
  await training.dispose()
  return checkpoint
}

describe('a checkpoint', () => {
  it.each<readonly [string, Partial<TrainOptions>, string]>([
    ['model', { model: { ...tiny(), name: 'other' } }, 'must have the same model, other, got "tiny"'],
    ['layers', { model: tiny() }, 'must have the same training step'],
    ['method', { method: standard() }, 'must have the same method, standard, got "rlvi"'],
    ['settings', { method: rlvi({ alpha: 0.1 }) }, 'must have the same settings of the method'],
    ['seed', { seed: 7 }, 'must have the same seed, 7, got 1'],
    [
      'labels',
      { data: memoryData({ ...blobs(150, 1, 0.4), batch: 2 }) },
      'must have the same training labels',
    ],
    ['batch', { data: memoryData({ ...blobs(150, 1, 0.3), batch: 4 }) }, 'the same batch size, 4, got 2'],
    ['optimizer', { optimizer: sgd() }, 'must have the same training step'],
    ['rate', { schedule: constantRate(0.01) }, 'epoch 1 must have had the same learning rate, {"rate":0.01}'],
  ])('of another %s is refused', async (_, changes, message) => {
    const checkpoint = await saved()
    await expect(openTraining({ ...options, ...changes, checkpoint })).rejects.toThrow(message)
    // Unless one starts anew.
    await (await openTraining({ ...options, ...changes, checkpoint, resume: false })).dispose()
  })

  it('of a shorter training is taken up, where the schedule is the same', async () => {
    const schedule = cosine(0.05, 10)
    const checkpoint = await saved({ schedule })
    const longer = await openTraining({ ...options, schedule, checkpoint })
    expect(longer.state.epoch).toBe(1)
    await longer.dispose()
  })

  it('that is broken is refused', async () => {
    const { bytes = new Uint8Array() } = await saved()
    const flipped = bytes.slice()
    flipped[bytes.length - 5] ^= 1
    for (const broken of [bytes.slice(0, -1), bytes.slice(0, 5), new Uint8Array(100), flipped]) {
      const checkpoint = { ...store(), bytes: broken }
      await expect(openTraining({ ...options, checkpoint })).rejects.toThrow(
        /^checkpoint: must be a whole file that a training has written/,
      )
    }
  })

  it('of the first format is refused by its number, not as damaged', async () => {
    const bytes = readFileSync(new URL('../../golden/checkpoint-format1.safetensors', import.meta.url))
    const checkpoint = { ...store(), bytes }
    await expect(openTraining({ ...options, checkpoint })).rejects.toThrow(
      'checkpoint: must have format 2, got 1; it is of another version of this program: start anew',
    )
  })

  it('is kept where the losses are no longer numbers', async () => {
    const fragile = { model: tiny(), executor: referenceExecutor({ precision: 'float32' }) }
    const checkpoint = await saved(fragile)
    const before = checkpoint.bytes
    // The second epoch's rate is far too high.
    const schedule = (epoch: number): number => (epoch === 1 ? 0.02 : 1e30)
    const training = await openTraining({ ...options, ...fragile, schedule, checkpoint })
    const run = async (): Promise<void> => {
      for await (const _ of training.epochs());
    }
    await expect(run()).rejects.toThrow(
      /training: losses must be finite numbers, got (NaN|Infinity).*in epoch 2, step \d+: try a lower learning rate; the last checkpoint is kept/,
    )
    expect(checkpoint.bytes).toBe(before)
    await training.dispose()
  })

  it('is not written with parameters that are no numbers', async () => {
    const checkpoint = store()
    // The only step of the epoch has a fine loss, then spoils the parameters.
    const data = memoryData({ ...blobs(8, 1), batch: 8 })
    const { validation: _, ...rest } = options
    const executor = referenceExecutor({ precision: 'float32' })
    const training = await openTraining({
      ...rest,
      executor,
      data,
      schedule: constantRate(1e300),
      checkpoint,
    })
    await expect(training.epochs().next()).rejects.toThrow(/must hold finite numbers/)
    expect(checkpoint.bytes).toBeUndefined()
    await training.dispose()
  })
})
