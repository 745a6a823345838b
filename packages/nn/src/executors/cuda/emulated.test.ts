import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { weightedStep } from '../../models/graphs.js'
import { lenet } from '../../models/lenet.js'
import { constantRate } from '../../optim/schedules.js'
import { sgd } from '../../optim/sgd.js'
import { blobs, tiny } from '../../testing/blobs.js'
import { emulatedCard } from '../../testing/emulated-card.js'
import { expectNear } from '../../testing/golden.js'
import { miniResNet } from '../../testing/mini-resnet.js'
import type { CheckpointStore } from '../../training/checkpoint.js'
import { memoryData, memoryEvaluation } from '../../training/data.js'
import type { Method } from '../../training/method.js'
import { bare } from '../../training/methods/bare.js'
import { cdr } from '../../training/methods/cdr.js'
import { coteaching } from '../../training/methods/coteaching.js'
import { jocor } from '../../training/methods/jocor.js'
import { posterior } from '../../training/methods/posterior.js'
import { rlvi } from '../../training/methods/rlvi.js'
import { standard } from '../../training/methods/standard.js'
import { usdnl } from '../../training/methods/usdnl.js'
import type { EpochMetrics } from '../../training/metrics.js'
import { openTraining, type TrainOptions } from '../../training/train.js'
import { agreementLaws } from '../agreement.laws.js'
import type { Executor } from '../executor.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'
import { referenceExecutor } from '../reference/reference.js'
import { cudaExecutor, executorOn } from './cuda.js'
import { cudaLaws } from './cuda.laws.js'
import { loadKoffi } from './driver/library.js'
import type { Precision } from './plan/layout.js'
import { planGraph } from './plan/plan.js'
import { type Device, openDevice } from './run/device.js'
import { cudaDevices } from './run/devices.js'

const folder = emulatedCard()
if (folder !== undefined) process.env.RLVI_CACHE = join(folder, 'cache')
afterAll(() => folder && rmSync(folder, { recursive: true }))

describe.skipIf(folder === undefined)('on an emulated card', () => {
  const options = { libraries: [folder ?? ''] }
  cudaLaws(options, 12)

  const assumed = 0.3
  const noisy = blobs(52, 1, assumed)
  const training = (method: Method): TrainOptions => ({
    method,
    model: tiny({ normalised: true, dropout: method.dropout?.rate ?? 0 }),
    executor: referenceExecutor({ precision: 'float32' }),
    data: memoryData({ ...noisy, batch: 16 }),
    validation: memoryEvaluation({ ...blobs(20, 2, assumed), batch: 16 }),
    epochs: 2,
    optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }),
    schedule: constantRate(0.05),
  })
  async function trained(given: TrainOptions) {
    const run = await openTraining(given)
    const epochs: EpochMetrics[] = []
    for await (const metrics of run.epochs()) epochs.push(metrics)
    const weights = await run.weights()
    const { losses, clean } = run.state
    await run.dispose()
    return { epochs, weights, losses, clean }
  }
  const onCard = cudaExecutor({ ...options, precision: 'fp32' })
  const methods: readonly Method[] = [
    standard(),
    rlvi(),
    posterior({ warmUp: 0 }),
    coteaching({ assumed }),
    jocor({ assumed }),
    cdr({ assumed }),
    usdnl({ assumed }),
    bare(),
  ]
  it.each(methods.map((method) => [method.name, method] as const))(
    '%s trains as on the reference',
    async (_, method) => {
      const expected = await trained(training(method))
      const got = await trained({ ...training(method), executor: onCard })
      expectNear(got.losses, expected.losses, 2e-4, 'losses')
      expectNear(got.clean, expected.clean, 2e-4, 'P(good)')
      for (const [name, { values }] of expected.weights)
        expectNear(got.weights.get(name)?.values as Float32Array, values as Float32Array, 2e-4, name)
    },
  )

  it('says when the card has no room', async () => {
    const graph = weightedStep(lenet(), { batch: 400_000, optimizer: sgd() })
    await expect(onCard.compile(graph)).rejects.toThrow(
      /cuMemAlloc_v2 must succeed, got 2, .*use a smaller batch/,
    )
  })

  describe('whose threads take several neighbours of however few', () => {
    const wide = (precision: Precision): Executor => {
      let device: Promise<Device> | undefined
      return executorOn(() => {
        device ??= openDevice({ ...options, precision, deterministic: true, wideFrom: 1 })
        return device
      })
    }
    const [fp32, bf16] = [wide('fp32'), wide('bf16')]
    agreementLaws(() => fp32, 1e-4, 12)
    agreementLaws(
      () => bf16,
      2e-2,
      12,
      () => cudaExecutor({ ...options, precision: 'bf16' }),
    )
  })

  let tell: (name: string, value: number) => number
  beforeAll(async () => {
    const library = (await loadKoffi()).load(join(folder!, 'libcuda.so.1'))
    tell = (name, value) => Number(library.func(name, 'int', ['int'])(value))
  })

  describe('whose libraries have algorithms', () => {
    beforeAll(() => {
      tell('card_algorithms', 1)
    })
    afterAll(() => {
      tell('card_algorithms', 0)
    })
    const exact = cudaExecutor({ ...options, precision: 'fp32' })
    goldenLaws(() => exact, { once: 1e-5, later: 1e-4 })
    agreementLaws(() => exact, 1e-4, 6)
    const bf16 = cudaExecutor({ ...options, precision: 'bf16' })
    executorLaws(() => bf16)

    /** How many calls of the libraries a step of this graph makes, and how many convolutions and products it has. */
    async function calledIn(executor: Executor, precision: 'fp32' | 'bf16', batch: number) {
      const graph = weightedStep(miniResNet(), { batch, optimizer: sgd() })
      const kinds = planGraph(graph, precision).launches.map(({ kind }) => kind)
      const wanted = kinds.filter((kind) => kind === 'convolution' || kind === 'product').length
      const program = await executor.compile(graph)
      const before = tell('card_calls', 0)
      const x = new Float32Array(batch * 432).fill(0.5)
      await program.run({
        x,
        y: new Int32Array(batch),
        w: new Float32Array(batch).fill(1 / batch),
        rate: 0.1,
      })
      const called = tell('card_calls', 0) - before
      await program.dispose()
      return { called, wanted }
    }

    it.each(['fp32', 'bf16'] as const)(
      'does all convolutions and products by them, %s',
      async (precision) => {
        const { called, wanted } = await calledIn(precision === 'fp32' ? exact : bf16, precision, 4)
        expect(called).toBe(wanted)
        expect(wanted).toBeGreaterThan(15)
      },
    )

    it('keeps no choice that was made while the card was lost', async () => {
      tell('card_break', 719)
      await expect(calledIn(exact, 'fp32', 7)).rejects.toThrow('the device was lost')
      tell('card_break', 0)
      tell('card_lose', 0)
      const { called, wanted } = await calledIn(exact, 'fp32', 7)
      expect(called).toBe(wanted)
    })
  })

  describe('made for tests', () => {
    afterEach(() => {
      tell('card_lose', 0)
      tell('card_capability', 90)
      tell('card_driver', 13000)
    })

    it('keeps the checkpoint when it is lost, from which another executor goes on', async () => {
      let kept: Uint8Array | undefined
      const checkpoint: CheckpointStore = {
        read: async () => kept,
        write: async (bytes) => {
          kept = bytes
        },
      }
      const four = { ...training(rlvi()), epochs: 4 }
      const onLost = cudaExecutor({ ...options, precision: 'fp32' })
      const run = await openTraining({ ...four, executor: onLost, checkpoint })
      await expect(
        (async () => {
          for await (const { epoch } of run.epochs()) if (epoch === 2) tell('card_lose', 719)
        })(),
      ).rejects.toThrow(
        /must succeed, got 719, .*the device was lost: start again; a checkpoint that was written is whole/,
      )
      tell('card_lose', 0)
      const rest = await trained({ ...four, checkpoint })
      expect(rest.epochs.map(({ epoch }) => epoch)).toEqual([3, 4])
      const whole = await trained(four)
      expectNear(rest.losses, whole.losses, 1e-3, 'losses')
    })

    it('trains in float32 from before the 16 bits', async () => {
      tell('card_capability', 75)
      const graph = weightedStep(tiny(), { batch: 4, optimizer: sgd() })
      await expect(cudaExecutor({ ...options, precision: 'bf16' }).compile(graph)).rejects.toThrow(
        'bf16 needs a card of capability 8.0 or later, got "7.5"; choose fp32',
      )
      const program = await cudaExecutor({ ...options, precision: 'fp32' }).compile(graph)
      await program.dispose()
    })

    it('needs a driver that knows CUDA 12', async () => {
      tell('card_driver', 11080)
      const { devices, libraries } = await cudaDevices(options)
      expect(devices).toEqual([])
      expect(libraries[0].problem).toMatch(
        /must know CUDA 12 or later, got "11.8"; install the NVIDIA driver/,
      )
    })

    it('is not given a cuDNN of a later CUDA than its driver knows', async () => {
      tell('card_driver', 12040)
      const { libraries } = await cudaDevices(options)
      expect(libraries[0]).toMatchObject({ name: 'driver', version: '12.4' })
      expect(libraries.find(({ name }) => name === 'cudnn')?.problem).toBe(
        'cuda: cuDNN for CUDA 12, the latest that the driver knows, is needed, got one for CUDA 13; ' +
          'install cuDNN 9 for CUDA 12, or `pip install nvidia-cudnn-cu12`',
      )
    })

    it('is named when the compiler does not know it yet', async () => {
      tell('card_capability', 120)
      const said = /NVRTC 13\.99 must know the card, got "sm_120"; install a newer CUDA for a newer card/
      const graph = weightedStep(tiny(), { batch: 4, optimizer: sgd() })
      await expect(cudaExecutor({ ...options, precision: 'fp32' }).compile(graph)).rejects.toThrow(said)
      const { devices, libraries } = await cudaDevices(options)
      expect(devices.map(({ capability }) => capability)).toEqual(['12.0'])
      expect(libraries.find(({ name }) => name === 'nvrtc')?.problem).toMatch(said)
    })
  })
})
