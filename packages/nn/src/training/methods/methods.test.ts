import { describe, expect, it } from 'vitest'
import { onnxExecutor } from '../../executors/onnx/onnx.js'
import { referenceExecutor } from '../../executors/reference/reference.js'
import type { StoredTensor } from '../../models/safetensors.js'
import { oneRate } from '../../optim/minimize.js'
import { constantRate } from '../../optim/schedules.js'
import { sgd } from '../../optim/sgd.js'
import { blobs, tiny } from '../../testing/blobs.js'
import { expectNear } from '../../testing/golden.js'
import { memoryData, memoryEvaluation } from '../data.js'
import type { Method } from '../method.js'
import { openTraining, type TrainOptions } from '../train.js'
import { bare } from './bare.js'
import { cdr } from './cdr.js'
import { coteaching } from './coteaching.js'
import { jocor } from './jocor.js'
import { posterior } from './posterior.js'
import { rlvi } from './rlvi.js'
import { standard } from './standard.js'
import { usdnl } from './usdnl.js'
import { weightedStep } from './weighted.js'

const assumed = 0.3
const all: readonly Method[] = [
  standard(),
  rlvi(),
  rlvi({ truncation: 'never', scaledLosses: true }),
  posterior(),
  posterior({ warmUp: 0, memory: 0.5, temperature: 0.9 }),
  posterior({ warmUp: 0, mixing: 0 }),
  coteaching({ assumed }),
  coteaching({ assumed, dividesTwice: true }),
  jocor({ assumed }),
  jocor({ assumed, batchAgreement: true }),
  cdr({ assumed }),
  cdr({ assumed, secondPass: true }),
  usdnl({ assumed }),
  bare(),
  bare({ meanOfKept: true }),
]
const noisy = blobs(52, 1, assumed)
const options: Omit<TrainOptions, 'method'> = {
  model: tiny(),
  executor: referenceExecutor({ precision: 'float32' }),
  data: memoryData({ ...noisy, batch: 16 }),
  validation: memoryEvaluation({ ...blobs(20, 2, assumed), batch: 16 }),
  test: memoryEvaluation({ ...blobs(20, 3), batch: 16 }),
  epochs: 2,
  optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }),
  schedule: constantRate(0.05),
}

type Weights = ReadonlyMap<string, StoredTensor>

async function trained(changes: Partial<TrainOptions> & Pick<TrainOptions, 'method'>): Promise<Weights> {
  const training = await openTraining({ ...options, ...changes })
  for await (const { train, test, loss } of training.epochs()) {
    for (const share of [train, test]) expect(share).toBeGreaterThanOrEqual(0)
    expect(loss).toBeGreaterThan(0)
  }
  const weights = await training.weights()
  await training.dispose()
  return weights
}

function expectAlike(got: Weights, expected: Weights, tolerance: number): void {
  expect([...got.keys()]).toEqual([...expected.keys()])
  for (const [name, { values }] of expected) {
    expectNear(got.get(name)?.values as Float32Array, values as Float32Array, tolerance, name)
  }
}

describe.each(all.map((method) => [`${method.name} ${JSON.stringify(method.options)}`, method] as const))(
  '%s',
  (_, method) => {
    const model = tiny({ normalised: true, dropout: method.dropout?.rate ?? 0 })

    it('trains alike on both executors', async () => {
      const onReference = await trained({ method, model })
      expectAlike(await trained({ method, model, executor: onnxExecutor() }), onReference, 2e-4)
    })

    it('gives the same again for the same seed, and another network for another', async () => {
      const once = await trained({ method, model })
      expectAlike(await trained({ method, model }), once, 0)
      const other = await trained({ method, model, seed: 2 })
      expect(() => expectAlike(other, once, 1e-3)).toThrow()
    })
  },
)

describe('with nothing to leave out every method is the standard one', () => {
  const cases: readonly Method[] = [
    coteaching({ assumed: 0 }),
    jocor({ assumed: 0, lambda: 0 }),
    cdr({ assumed: 0 }),
    usdnl({ assumed: 0, dropout: 0 }),
    bare({ deviations: -1e6 }),
  ]
  it.each(cases.map((method) => [method.name, method] as const))('%s', async (_, method) => {
    const start = await openTraining({ ...options, method: standard() })
    const weights = { tensors: await start.weights() }
    const expected = await trained({ method: standard(), weights })
    expectAlike(await trained({ method, weights }), expected, 1e-5)
  })
})

it('CDR as released moves the running statistics twice, and only those', async () => {
  const model = tiny({ normalised: true })
  const run = { model, epochs: 1, schedule: constantRate(0) }
  const once = await trained({ ...run, method: cdr({ assumed }) })
  const twice = await trained({ ...run, method: cdr({ assumed, secondPass: true }) })
  const moved = [...once].filter(([name, { values }]) =>
    (values as Float32Array).some((v, i) => v !== twice.get(name)?.values[i]),
  )
  expect(moved.map(([name]) => name)).toEqual(['bn.running_mean', 'bn.running_var'])
})

it('a sample of weight 0 is as good as absent', async () => {
  const { x, labels } = blobs(8, 5)
  const kept = 5
  const w = Float32Array.from({ length: 8 }, (_, i) => (i < kept ? 0.1 * (i + 1) : 0))
  const setup = { model: tiny(), optimizer: sgd({ momentum: 0.9 }), groups: oneRate, seed: 1 }
  const whole = await referenceExecutor().compile(weightedStep({ ...setup, batch: 8 }))
  const part = await referenceExecutor().compile(weightedStep({ ...setup, batch: kept }))
  for (let step = 0; step < 2; step++) {
    await whole.run({ x, y: labels, w, rate: 0.1 })
    await part.run({
      x: x.subarray(0, kept * 36),
      y: labels.subarray(0, kept),
      w: w.subarray(0, kept),
      rate: 0.1,
    })
  }
  for (const name of part.variables.names()) {
    expectNear(await whole.variables.read(name), await part.variables.read(name), 1e-12, name)
  }
})

it.each([
  [
    () => coteaching({ assumed: 1 }),
    'coteaching: the assumed share of wrong labels must be at least 0, below 1, got 1',
  ],
  [() => cdr({ assumed: 0.2, rampEpochs: 1 }), 'cdr: rampEpochs must be whole and at least 2, got 1'],
  [() => jocor({ assumed: 0.2, lambda: 2 }), 'jocor: lambda must be between 0 and 1, got 2'],
  [() => posterior({ warmUp: 1.5 }), 'posterior: warmUp must be a whole number of epochs, got 1.5'],
  [() => posterior({ memory: 1 }), 'posterior: memory must be at least 0, below 1, got 1'],
  [() => posterior({ temperature: 0 }), 'posterior: temperature must be above 0, got 0'],
  [() => rlvi({ alpha: 0 }), 'rlvi: alpha must be between 0 and 1, got 0'],
])('settings that make no sense are refused', (make, message) => {
  expect(make).toThrow(message)
})
