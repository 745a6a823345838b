import { describe, expect, it } from 'vitest'
import { onnxExecutor } from '../executors/onnx/onnx.js'
import { referenceExecutor } from '../executors/reference/reference.js'
import { constantRate } from '../optim/schedules.js'
import { sgd } from '../optim/sgd.js'
import { blobs, tiny } from '../testing/blobs.js'
import { memoryData, memoryEvaluation } from './data.js'
import type { Method } from './method.js'
import { rlvi } from './methods/rlvi.js'
import { standard } from './methods/standard.js'
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
  readonly pi: readonly number[]
}> {
  const training = await openTraining({ ...options, ...changes })
  let test = 0
  for await (const metrics of training.epochs()) test = metrics.test ?? 0
  const weights = Object.fromEntries(
    [...(await training.weights())].map(([name, { values }]) => [name, Array.from(values as Float32Array)]),
  )
  const pi = Array.from(training.state.pi)
  await training.dispose()
  return { weights, test, pi }
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
})
