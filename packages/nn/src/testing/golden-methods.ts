import { expect } from 'vitest'
import type { Executor, Fetches } from '../executors/executor.js'
import { GraphBuilder, type Value } from '../graph/builder.js'
import {
  abs,
  add,
  crossEntropy,
  div,
  exp,
  greaterEqual,
  matmul,
  mean,
  mul,
  neg,
  oneHot,
  reshape,
  smallest,
  sqrt,
  sub,
  sum,
} from '../graph/values.js'
import type { Tolerance } from './golden.js'
import { expectNear, golden, numbers } from './golden.js'
import type { Check } from './golden-ops.js'

/** That the primitives suffice for each method's selection inside one graph, and select what torch's did. */
export function goldenMethods(executor: () => Executor, { once }: Tolerance): readonly Check[] {
  const { methods, cdr } = golden()
  const labels = Int32Array.from(methods.labels)
  const rows = labels.length
  const classes = methods.logits1.shape[1]

  const run = async (
    build: (g: GraphBuilder, net1: Value, net2: Value, y: Value) => Readonly<Record<string, Value>>,
    keep?: number,
  ): Promise<Fetches> => {
    const g = new GraphBuilder({ mode: 'train' })
    const net1 = g.feed('net1', [rows, classes])
    const net2 = g.feed('net2', [rows, classes])
    const y = g.feed('y', [rows], { dtype: 'i32' })
    for (const [name, value] of Object.entries(build(g, net1, net2, y))) g.fetch(name, value)
    const graph = g.build()
    const program = await executor().compile(graph)
    const all = {
      net1: Float32Array.from(numbers(methods.logits1)),
      net2: Float32Array.from(numbers(methods.logits2)),
      y: labels,
      keep: keep ?? 0,
    }
    const used = Object.entries(all).filter(([name]) => graph.feeds.some((feed) => feed.name === name))
    const fetches = await program.run(Object.fromEntries(used))
    await program.dispose()
    return fetches
  }

  const meanOver = (values: Value, mask: Value): Value => div(sum(mul(values, mask)), sum(mask))
  const kl = (p: Value, q: Value): Value => sum(mul(exp(p), sub(p, q)), { axes: [1] })

  const selections = methods.selection.map(
    ({ keep, coteaching, jocor, usdnl }): Check => [
      `small losses, ${keep} of ${rows}: Co-teaching, JoCoR, USDNL`,
      async () => {
        const fetches = await run((g, net1, net2, y) => {
          const one = crossEntropy(net1, y)
          const two = crossEntropy(net2, y)
          const k = g.feed('keep', [])
          const pick1 = smallest(one.losses, k)
          const pick2 = smallest(two.losses, k)
          const forward = kl(one.logProbabilities, two.logProbabilities)
          const backward = kl(two.logProbabilities, one.logProbabilities)
          const joint = add(
            mul(add(one.losses, two.losses), 1 - jocor.lam),
            mul(add(forward, backward), jocor.lam),
          )
          const pickBoth = smallest(joint, k)
          return {
            ce1: one.losses,
            forward,
            backward,
            pick1,
            pick2,
            pickBoth,
            net1: meanOver(one.losses, pick2),
            net2: meanOver(two.losses, pick1),
            both: meanOver(joint, pickBoth),
            usdnl: meanOver(one.losses, pick1),
          }
        }, keep)
        expectNear(fetches.ce1, methods.ce1, once, 'losses')
        expectNear(fetches.backward, methods.kl_p2_p1, once, 'KL(p2, p1)')
        expectNear(fetches.forward, methods.kl_p1_p2, once, 'KL(p1, p2)')
        expect(picked(fetches.pick1)).toEqual(coteaching.picked_by_net1)
        expect(picked(fetches.pick2)).toEqual(coteaching.picked_by_net2)
        expect(picked(fetches.pickBoth)).toEqual(jocor.picked)
        expect(picked(fetches.pick1)).toEqual(usdnl.picked)
        expectNear(fetches.net1, [coteaching.loss_net1_mean], once, 'Co-teaching, net 1')
        expectNear(fetches.net2, [coteaching.loss_net2_mean], once, 'Co-teaching, net 2')
        expectNear(fetches.both, [jocor.mean_loss], once, 'JoCoR')
        expectNear(fetches.usdnl, [usdnl.mean_ce], once, 'USDNL')
      },
    ],
  )

  const bare: Check = [
    'BARE: columns of the batch',
    async () => {
      const { k, column_threshold, kept, loss } = methods.bare
      const fetches = await run((_, net1, __, y) => {
        const { losses, logProbabilities } = crossEntropy(net1, y)
        const p = exp(logProbabilities)
        const centre = mean(p, { axes: [0], keepDims: true })
        const gap = sub(p, centre)
        const spread = sqrt(mul(sum(mul(gap, gap), { axes: [0], keepDims: true }), 1 / (rows - 1)))
        const threshold = add(centre, mul(spread, k))
        const hot = oneHot(y, classes)
        const own = sum(mul(p, hot), { axes: [1] })
        const needed = reshape(matmul(hot, threshold, { transposeB: true }), [rows])
        const mask = greaterEqual(own, needed)
        return { threshold, mask, loss: meanOver(losses, mask) }
      })
      expectNear(fetches.threshold, column_threshold, once, 'thresholds')
      expect(picked(fetches.mask)).toEqual(kept)
      expectNear(fetches.loss, [loss], once, 'loss')
    },
  ]

  const critical = cdr.cases.map(
    ({ c, kept_count, grad_after }): Check => [
      `CDR: keeps the share ${c} of the gradient`,
      async () => {
        const g = new GraphBuilder({ mode: 'train' })
        const w = g.feed('w', cdr.weight.shape)
        const grad = g.feed('g', cdr.grad.shape)
        const importance = reshape(abs(mul(w, grad)), [12])
        const mask = reshape(smallest(neg(importance), g.feed('keep', [])), cdr.weight.shape)
        g.fetch('after', mul(mul(grad, mask), c))
        const program = await executor().compile(g.build())
        const feeds = { w: Float32Array.from(numbers(cdr.weight)), g: Float32Array.from(numbers(cdr.grad)) }
        const { after } = await program.run({ ...feeds, keep: kept_count })
        expectNear(after, grad_after, once, 'gradient')
        await program.dispose()
      },
    ],
  )
  return [...selections, bare, ...critical]
}

function picked(mask: ArrayLike<number>): number[] {
  return Array.from(mask).flatMap((hit, i) => (hit === 1 ? [i] : []))
}
