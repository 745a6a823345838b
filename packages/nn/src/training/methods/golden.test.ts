import { describe, expect, it } from 'vitest'
import { referenceExecutor } from '../../executors/reference/reference.js'
import { GraphBuilder, type Value } from '../../graph/builder.js'
import { add, reshape, slice } from '../../graph/values.js'
import type { Model } from '../../models/model.js'
import { oneRate } from '../../optim/minimize.js'
import { sgd } from '../../optim/sgd.js'
import { checkedOnnx } from '../../testing/checked-onnx.js'
import { expectNear, golden, goldenForgetRates, numbers } from '../../testing/golden.js'
import type { Method } from '../method.js'
import { bare } from './bare.js'
import { critical } from './cdr.js'
import { coteaching } from './coteaching.js'
import { forgetRate, keepCount } from './forget.js'
import { jocor } from './jocor.js'
import { usdnl } from './usdnl.js'

const { methods, cdr } = golden()
const labels = Int32Array.from(methods.labels)
const rows = labels.length
const classes = methods.logits1.shape[1]
const logits = [numbers(methods.logits1), numbers(methods.logits2)]

/** A network whose logits are its picture, one line for each of two networks, plus a bias whose step shows the gradient. */
const lines: Model = {
  name: 'lines',
  image: [1, 2, classes],
  classes,
  logits(x: Value) {
    const name = x.graph.path('bias')
    const line = name.startsWith('net2') ? 1 : 0
    const bias = x.graph.variable(name, [classes], 'parameter', { kind: 'fill', value: 0 })
    return add(reshape(slice(x, 2, line, line + 1), [x.shape[0], classes]), bias)
  },
}
const x = Float64Array.from({ length: 2 * rows * classes }, (_, i) => {
  const [row, line] = [Math.floor(i / (2 * classes)), Math.floor(i / classes) % 2]
  return logits[line][row * classes + (i % classes)]
})

/** The losses of one row and both biases, by plain arithmetic. */
function rowLosses(row: number, biases: readonly (readonly number[])[]): { ce: number[]; kl: number } {
  const logP = biases.map((bias, line) => {
    const z = bias.map((b, k) => logits[line][row * classes + k] + b)
    const norm = Math.log(z.reduce((sum, v) => sum + Math.exp(v), 0))
    return z.map((v) => v - norm)
  })
  const kl = (p: number[], q: number[]): number => p.reduce((sum, v, k) => sum + Math.exp(v) * (v - q[k]), 0)
  return {
    ce: logP.map((line) => -line[labels[row]]),
    kl: kl(logP[0], logP[1]) + kl(logP[1], logP[0]),
  }
}

type Loss = (biases: readonly (readonly number[])[]) => number
const meanOf = (picked: readonly number[], loss: (row: number) => number): number =>
  picked.reduce((sum, row) => sum + loss(row), 0) / picked.length
const everyRow = [...labels.keys()]

/** Central differences of a loss by one network's bias. */
function differences(loss: Loss, line: number): number[] {
  const step = 1e-5
  const at = (k: number, by: number): number => {
    const biases = [0, 1].map((l) =>
      Array.from({ length: classes }, (_, j) => (l === line && j === k ? by : 0)),
    )
    return loss(biases)
  }
  return Array.from({ length: classes }, (_, k) => (at(k, step) - at(k, -step)) / (2 * step))
}

describe.each([
  ['reference', () => referenceExecutor()],
  ['onnx', () => checkedOnnx()],
] as const)('selections and gradients of the methods, %s', (_, executor) => {
  async function stepOf(
    method: Method,
    keep?: number,
  ): Promise<{ readonly kept: number[]; readonly gradient: (name: string) => Promise<number[]> }> {
    const setup = { model: lines, batch: rows, optimizer: sgd(), groups: oneRate, seed: 1 }
    const program = await executor().compile(method.step(setup))
    const { kept, losses } = await program.run({ x, y: labels, rate: 1, ...(keep ? { keep } : {}) })
    expectNear(losses, methods.ce1, 1e-5, 'losses')
    return {
      kept: Array.from(kept).flatMap((hit, i) => (hit === 1 ? [i] : [])),
      gradient: async (name) => Array.from(await program.variables.read(name), (value) => -value),
    }
  }

  it.each(methods.selection)('keeping $keep', async ({ keep, coteaching: co, jocor: jo, usdnl: us }) => {
    const taught = await stepOf(coteaching({ assumed: 0.5 }), keep)
    expect(taught.kept).toEqual(co.picked_by_net2)
    const one: Loss = (biases) => meanOf(co.picked_by_net2, (row) => rowLosses(row, biases).ce[0])
    const two: Loss = (biases) => meanOf(co.picked_by_net1, (row) => rowLosses(row, biases).ce[1])
    expectNear(await taught.gradient('net1.bias'), differences(one, 0), 1e-5, 'Co-teaching, net 1')
    expectNear(await taught.gradient('net2.bias'), differences(two, 1), 1e-5, 'Co-teaching, net 2')
    const twice = await stepOf(coteaching({ assumed: 0.5, dividesTwice: true }), keep)
    const divided = differences(one, 0).map((slope) => slope / keep)
    expectNear(await twice.gradient('net1.bias'), divided, 1e-5, 'Co-teaching as released')

    const joint = await stepOf(jocor({ assumed: 0.5 }), keep)
    expect(joint.kept).toEqual(jo.picked)
    const together: Loss = (biases) =>
      meanOf(jo.picked, (row) => {
        const { ce, kl } = rowLosses(row, biases)
        return (1 - jo.lam) * (ce[0] + ce[1]) + jo.lam * kl
      })
    expectNear(await joint.gradient('net1.bias'), differences(together, 0), 1e-5, 'JoCoR, net 1')
    expectNear(await joint.gradient('net2.bias'), differences(together, 1), 1e-5, 'JoCoR, net 2')

    const released = await stepOf(jocor({ assumed: 0.5, batchAgreement: true }), keep)
    expect(released.kept).toEqual(jo.picked_released_ce_only)
    const averaged: Loss = (biases) =>
      meanOf(jo.picked_released_ce_only, (row) => {
        const { ce } = rowLosses(row, biases)
        return (1 - jo.lam) * (ce[0] + ce[1])
      }) +
      jo.lam * meanOf(everyRow, (row) => rowLosses(row, biases).kl)
    expectNear(await released.gradient('net1.bias'), differences(averaged, 0), 1e-5, 'JoCoR as released')

    const dropped = await stepOf(usdnl({ assumed: 0.5 }), keep)
    expect(dropped.kept).toEqual(us.picked)
    const small: Loss = (biases) => meanOf(us.picked, (row) => rowLosses(row, biases).ce[0])
    expectNear(await dropped.gradient('bias'), differences(small, 0), 1e-5, 'USDNL')
  })

  it('BARE, also where nobody stands out', async () => {
    const { kept, k } = methods.bare
    const step = await stepOf(bare({ deviations: k, meanOfKept: true }))
    expect(step.kept).toEqual(kept)
    const few: Loss = (biases) => meanOf(kept, (row) => rowLosses(row, biases).ce[0])
    expectNear(await step.gradient('bias'), differences(few, 0), 1e-5)
    const shorter = await stepOf(bare({ deviations: k }))
    const share = kept.length / rows
    expectNear(
      await shorter.gradient('bias'),
      differences(few, 0).map((slope) => slope * share),
      1e-5,
    )
    const none = await stepOf(bare({ deviations: 100 }))
    expect(none.kept).toEqual([])
    const all: Loss = (biases) => meanOf(everyRow, (row) => rowLosses(row, biases).ce[0])
    expectNear(await none.gradient('bias'), differences(all, 0), 1e-5)
  })

  it.each(cdr.cases)(
    'CDR keeps the share $c, over all weights together',
    async ({ c, kept_count, grad_after }) => {
      const weight = numbers(cdr.weight)
      const slope = numbers(cdr.grad)
      const g = new GraphBuilder({ mode: 'train' })
      const parameter = (name: string, values: Float64Array, shape: readonly number[]): Value =>
        g.variable(name, shape, 'parameter', { kind: 'values', values })
      // The golden tensor in two pieces, and a bias with the largest gradient of all, which is left alone.
      const parameters = [
        { name: 'a', value: parameter('a', weight.subarray(0, 4), [1, 4]) },
        { name: 'bias', value: parameter('bias', Float64Array.of(9), [1]) },
        { name: 'b', value: parameter('b', weight.subarray(4), [2, 4]) },
      ]
      const slopes = [g.feed('ga', [1, 4]), g.feed('gbias', [1]), g.feed('gb', [2, 4])]
      const out = critical(parameters, slopes, g.feed('keep', []), g.feed('share', []))
      out.forEach((value, i) => {
        g.fetch(parameters[i].name, value)
      })
      const program = await executor().compile(g.build())
      const gbias = Float64Array.of(7)
      const feeds = { ga: slope.subarray(0, 4), gbias, gb: slope.subarray(4), keep: kept_count, share: c }
      const { a, b, bias } = await program.run(feeds)
      expectNear([...a, ...b], grad_after, 1e-5)
      expectNear(bias, [7], 1e-6)
    },
  )
})

describe('forget rate', () => {
  it.each(goldenForgetRates())('rises to $rate', ({ rate, values }) => {
    values.forEach((value, t) => {
      expect(forgetRate({ assumed: rate }, t)).toBeCloseTo(value, 12)
    })
    // The released code's int((1 - R) b).
    expect(keepCount({ assumed: 0.45 }, 10, 32)).toBe(17)
    expect(keepCount({ assumed: 0.99 }, 10, 8)).toBe(1)
  })
})
