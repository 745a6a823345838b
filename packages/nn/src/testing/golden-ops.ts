import { gradients } from '../autodiff/gradients.js'
import type { Executor } from '../executors/executor.js'
import { GraphBuilder, type Value } from '../graph/builder.js'
import { crossEntropy, mul, relu, reshape, sum } from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { avgPool, conv2d, dropout, globalMean, maxPool } from '../layers/layers.js'
import type { Tolerance } from './golden.js'
import { expectNear, type GoldenOp, golden, numbers } from './golden.js'

export type Check = readonly [name: string, check: () => Promise<void>]

/** The golden file's single layers: outputs, and gradients of sum(out * grad_out). */
export function goldenOps(executor: () => Executor, { once }: Tolerance): readonly Check[] {
  return golden().ops.map((op, i) => [
    `${op.op}${op.op === 'conv2d' ? ` stride ${op.stride} padding ${op.padding} (${i})` : ''}`,
    async () =>
      op.op.startsWith('softmax') ? checkLoss(executor(), op, once) : checkLayer(executor(), op, once),
  ])
}

async function checkLayer(executor: Executor, op: GoldenOp, tolerance: number): Promise<void> {
  const g = new GraphBuilder({ mode: 'train' })
  const x = g.feed('x', op.x.shape)
  const out = layer(x, op)
  const weighted = sum(mul(out, g.feed('dy', op.out.shape)))
  const parameters = g.parameters()
  const [dx, ...rest] = gradients(weighted, [x, ...parameters.map(({ value }) => value)])
  g.fetch('out', out)
  g.fetch('dx', dx)
  for (const [i, { name }] of parameters.entries()) g.fetch(`d ${name}`, rest[i])

  const program = await executor.compile(g.build())
  if (op.weight) await program.variables.write('l.weight', numbers(op.weight))
  if (op.bias) await program.variables.write('l.bias', numbers(op.bias))
  // Some inputs of the golden file are not float32 numbers: executors of less precision round them.
  const feeds = { x: numbers(op.x), dy: numbers(op.grad_out) }
  const mask = op.mask && { 'l.mask': Float32Array.from(op.mask.flat()) }
  const fetches = await program.run({ ...feeds, ...mask })
  expectNear(fetches.out, op.out, tolerance, 'out')
  expectNear(fetches.dx, op.grad_x, tolerance, 'grad_x')
  if (op.grad_weight) expectNear(fetches['d l.weight'], op.grad_weight, tolerance, 'grad_weight')
  if (op.grad_bias) expectNear(fetches['d l.bias'], op.grad_bias, tolerance, 'grad_bias')
  if (op.op.startsWith('batchnorm')) {
    const read = (name: string) => program.variables.read(`l.${name}`)
    expectNear(await read('running_mean'), op.running_mean_after, tolerance, 'running mean')
    expectNear(await read('running_var'), op.running_var_after, tolerance, 'running variance')
  }
  await program.dispose()
}

function layer(x: Value, op: GoldenOp): Value {
  switch (op.op.split(' ')[0]) {
    case 'maxpool':
      return op.op.includes('k3') ? maxPool(x, 3, { stride: 2, padding: 1 }) : maxPool(x, 2)
    case 'avgpool':
      return avgPool(x, 2)
    case 'global':
      return reshape(globalMean(x), op.out.shape)
    case 'elementwise':
      return dropout(x, 'l', { rate: 0.5 })
    case 'relu':
      return relu(x)
    case 'batchnorm2d':
      return batchNorm(x, 'l')
    case 'conv2d': {
      const [channels, , ...kernel] = op.weight!.shape
      return conv2d(x, 'l', {
        channels,
        kernel: [kernel[0], kernel[1]],
        stride: op.stride!,
        padding: op.padding!,
        bias: op.bias !== null,
      })
    }
    default:
      throw new Error(`no such layer: ${op.op}`)
  }
}

async function checkLoss(executor: Executor, op: GoldenOp, tolerance: number): Promise<void> {
  const g = new GraphBuilder({ mode: 'train' })
  const logits = g.feed('x', op.logits.shape)
  const { losses } = crossEntropy(logits, g.feed('y', [op.labels.length], { dtype: 'i32' }))
  g.fetch('losses', losses)
  g.fetch('dx', gradients(sum(losses), [logits])[0])
  const program = await executor.compile(g.build())
  const feeds = { x: Float32Array.from(numbers(op.logits)), y: Int32Array.from(op.labels) }
  const fetches = await program.run(feeds)
  expectNear(fetches.losses, op.ce, tolerance, 'losses')
  expectNear(fetches.dx, op.grad_of_sum, tolerance, 'gradient')
  await program.dispose()
}
