import { expect } from 'vitest'
import { gradients } from '../autodiff/gradients.js'
import type { Executor, Feeds, Program } from '../executors/executor.js'
import { GraphBuilder } from '../graph/builder.js'
import { crossEntropy, mul, sum } from '../graph/values.js'
import { evaluation, weightedStep } from '../models/graphs.js'
import { lenet } from '../models/lenet.js'
import type { Model } from '../models/model.js'
import { adam } from '../optim/adam.js'
import type { Optimizer } from '../optim/optimizer.js'
import { sgd } from '../optim/sgd.js'
import type { Tolerance } from './golden.js'
import {
  expectNear,
  type GoldenModel,
  type GoldenTensor,
  type GoldenTensors,
  golden,
  numbers,
  type Summary,
  type Trace,
} from './golden.js'
import type { Check } from './golden-ops.js'
import { miniResNet, ourName } from './mini-resnet.js'

export function goldenModels(executor: () => Executor, tolerance: Tolerance): readonly Check[] {
  const { lenet: le, mini_resnet: mini } = golden()
  const of = (model: Model, data: GoldenModel): Subject => ({ executor: executor(), model, data, tolerance })
  return [
    ['LeNet: losses and gradients', () => checkGradients(of(lenet(), le), le.logits)],
    ['LeNet: three steps of SGD', () => checkSteps(of(lenet(), le), le.sgd, sgdOf(le.sgd))],
    ['LeNet: three steps of Adam', () => checkSteps(of(lenet(), le), le.adam, adamOf(le.adam))],
    [
      'LeNet: channel dropout',
      () => {
        const { mask1, mask2 } = le.channel_dropout
        return checkDropout(of(lenet({ dropout: 0.25 }), le), { 'drop1.mask': mask1, 'drop2.mask': mask2 })
      },
    ],
    [
      'ResNet: losses, gradients and running statistics',
      () =>
        checkGradients(
          of(miniResNet(), mini),
          mini.train_logits,
          mini.running_stats_after_forward,
          mini.grad_input,
        ),
    ],
    [
      'ResNet: evaluation with running statistics',
      async () => {
        const program = await executor().compile(evaluation(miniResNet(), 4))
        await write(program, { ...mini.params, ...mini.running_stats_initial })
        const { logits } = await program.run({ x: Float32Array.from(numbers(mini.x)) })
        expectNear(logits, mini.eval_logits_initial, tolerance.once, 'logits')
        await program.dispose()
      },
    ],
    ['ResNet: three steps of SGD', () => checkSteps(of(miniResNet(), mini), mini.sgd, sgdOf(mini.sgd))],
    ['ResNet: three steps of Adam', () => checkSteps(of(miniResNet(), mini), mini.adam, adamOf(mini.adam))],
    [
      'ResNet: channel dropout',
      () => {
        const { mask_block1, mask_block2 } = mini.channel_dropout
        return checkDropout(of(miniResNet(0.25), mini), {
          'b1.drop.mask': mask_block1,
          'b2.drop.mask': mask_block2,
        })
      },
    ],
  ]
}

interface Subject {
  readonly executor: Executor
  readonly model: Model
  readonly data: GoldenModel
  readonly tolerance: Tolerance
}

const sgdOf = (trace: Trace): Optimizer => sgd({ momentum: trace.momentum, weightDecay: trace.weight_decay })
const adamOf = ({ betas, eps, weight_decay }: Trace): Optimizer =>
  adam({ beta1: betas[0], beta2: betas[1], epsilon: eps, weightDecay: weight_decay })

async function write(program: Program, values: GoldenTensors): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await program.variables.write(ourName(name), numbers(value))
  }
}

function batchOf({ x, labels, pi }: GoldenModel, weights: readonly number[] = pi): Feeds {
  return {
    x: Float32Array.from(numbers(x)),
    y: Int32Array.from(labels),
    w: Float32Array.from(weights, (weight) => weight / labels.length),
  }
}

/** A graph that fetches all gradients, by the parameters and by the images. */
async function gradientProgram({ executor, model, data }: Subject): Promise<Program> {
  const batch = data.labels.length
  const g = new GraphBuilder({ mode: 'train' })
  const x = g.feed('x', [batch, ...model.image])
  const logits = model.logits(x)
  const { losses } = crossEntropy(logits, g.feed('y', [batch], { dtype: 'i32' }))
  const loss = sum(mul(losses, g.feed('w', [batch])))
  const parameters = g.parameters()
  const found = gradients(loss, [x, ...parameters.map(({ value }) => value)])
  for (const [i, name] of ['x', ...parameters.map(({ name }) => name)].entries())
    g.fetch(`d ${name}`, found[i])
  g.fetch('logits', logits)
  g.fetch('losses', losses)
  g.fetch('loss', loss)
  const program = await executor.compile(g.build())
  await write(program, { ...data.params, ...data.running_stats_initial })
  return program
}

async function checkGradients(
  subject: Subject,
  logits: GoldenTensor,
  statistics: GoldenTensors = {},
  byInput?: GoldenTensor,
): Promise<void> {
  const { data, tolerance } = subject
  const program = await gradientProgram(subject)
  const fetches = await program.run(batchOf(data))
  expectNear(fetches.logits, logits, tolerance.once, 'logits')
  expectNear(fetches.losses, data.per_sample_ce, tolerance.once, 'losses')
  expectNear(fetches.loss, [data.weighted_mean_loss], tolerance.once, 'loss')
  for (const [name, expected] of Object.entries(data.grads_of_mean_pi_ce)) {
    expectNear(fetches[`d ${ourName(name)}`], expected, tolerance.once, name)
  }
  if (byInput) expectNear(fetches['d x'], byInput, tolerance.once, 'x')
  for (const [name, expected] of Object.entries(statistics)) {
    expectNear(await program.variables.read(ourName(name)), expected, tolerance.once, name)
  }
  await program.dispose()
}

async function checkSteps(subject: Subject, expected: Trace, optimizer: Optimizer): Promise<void> {
  const { executor, model, data, tolerance } = subject
  const program = await executor.compile(weightedStep(model, { batch: data.labels.length, optimizer }))
  await write(program, { ...data.params, ...data.running_stats_initial })
  for (const [i, step] of expected.trace.entries()) {
    const limit = i === 0 ? tolerance.once : tolerance.later
    const { losses } = await program.run({ ...batchOf(data), rate: expected.lr })
    expectNear(losses, step.per_sample_ce, limit, `losses at step ${i + 1}`)
    for (const [name, summary] of Object.entries(step.param_summary_after)) {
      expectSummary(await program.variables.read(ourName(name)), summary, limit, `${name} after ${i + 1}`)
    }
    for (const [name, value] of Object.entries(step.running_stats_after ?? {})) {
      expectNear(await program.variables.read(ourName(name)), value, limit, `${name} after ${i + 1}`)
    }
  }
  for (const [name, value] of Object.entries(expected.params_after_3 ?? {})) {
    expectNear(await program.variables.read(ourName(name)), value, tolerance.later, `${name} in the end`)
  }
  await program.dispose()
}

async function checkDropout(
  subject: Subject,
  masks: Readonly<Record<string, readonly (readonly number[])[]>>,
): Promise<void> {
  const { data, tolerance } = subject
  const { logits, mean_loss, grad_summary } = data.channel_dropout
  const program = await gradientProgram(subject)
  const drawn = Object.entries(masks).map(([name, mask]) => [name, Float32Array.from(mask.flat())])
  const ones = data.labels.map(() => 1)
  const fetches = await program.run({ ...batchOf(data, ones), ...Object.fromEntries(drawn) })
  expectNear(fetches.logits, logits, tolerance.once, 'logits')
  expectNear(fetches.loss, [mean_loss], tolerance.once, 'loss')
  for (const [name, summary] of Object.entries(grad_summary)) {
    expectSummary(fetches[`d ${ourName(name)}`], summary, tolerance.once, name)
  }
  await program.dispose()
}

function expectSummary(got: ArrayLike<number>, summary: Summary, tolerance: number, what: string): void {
  const values = Array.from(got)
  const squares = values.reduce((total, v) => total + v * v, 0)
  const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  const gaps = values.slice(0, summary.first.length).map((v, i) => Math.abs(v - summary.first[i]))
  expect(Math.max(...gaps), what).toBeLessThanOrEqual(tolerance * largest)
  const total = values.reduce((a, v) => a + v, 0)
  expect(Math.abs(total - summary.sum), `${what}, sum`).toBeLessThanOrEqual(
    tolerance * Math.sqrt(values.length * squares),
  )
  const { l2 = Math.sqrt(summary.sumsq!) } = summary
  expect(Math.abs(Math.sqrt(squares) - l2), `${what}, length`).toBeLessThanOrEqual(tolerance * l2)
}
