import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weightedStep } from '../../../models/graphs.js'
import { lenet } from '../../../models/lenet.js'
import { sgd } from '../../../optim/sgd.js'
import { miniResNet } from '../../../testing/mini-resnet.js'
import { randomGraph } from '../../../testing/random-graph.js'
import { type Launch, touched } from './launch.js'
import { bytesOf, type Precision } from './layout.js'
import { type Plan, planGraph } from './plan.js'

const precisions: readonly Precision[] = ['fp32', 'tf32', 'bf16']
const anyPlan = fc
  .tuple(fc.integer({ min: 0, max: 1e6 }), fc.constantFrom(...precisions))
  .map(([seed, precision]) => planGraph(randomGraph(seed).graph, precision))

function written(launch: Launch): ReadonlySet<number> {
  switch (launch.kind) {
    case 'kernel':
      return launch.call.written
    case 'convolution':
      return launch.plain.written
    case 'product':
      return new Set([launch.product.out.id])
    case 'table':
      return new Set(launch.rows.flatMap(({ writes }) => writes.map(({ id }) => id)))
  }
}

describe('a plan', () => {
  it('reads nothing that was not written before', () => {
    fc.assert(
      fc.property(anyPlan, ({ launches }) => {
        const there = new Set<number>()
        for (const launch of launches) {
          for (const { id, home } of touched(launch)) {
            if (home.kind === 'arena' || home.kind === 'fetch') {
              expect(there.has(id) || written(launch).has(id)).toBe(true)
            }
          }
          for (const id of written(launch)) there.add(id)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('fills every fetch', () => {
    fc.assert(
      fc.property(anyPlan, ({ launches, fetches }) => {
        const all = new Set(launches.flatMap((launch) => [...written(launch)]))
        for (const { id } of fetches.values()) expect(all.has(id)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('gives memory again only when what lay there is not needed, beside the main branch too', () => {
    for (const precision of precisions) {
      const graph = weightedStep(miniResNet(), { batch: 4, optimizer: sgd({ momentum: 0.9 }) })
      expectApart(planGraph(graph, precision))
    }
  })
})

function expectApart(plan: Plan): void {
  const lives = new Map<number, { from: number; to: number }>()
  plan.launches.forEach((launch, at) => {
    for (const { id, home } of touched(launch)) {
      if (home.kind !== 'arena') continue
      const known = lives.get(id)
      const to = plan.beside.has(launch) ? plan.join : at
      lives.set(id, { from: known?.from ?? at, to: Math.max(known?.to ?? 0, to) })
    }
  })
  const ids = [...lives.keys()]
  for (const a of ids) {
    for (const b of ids.filter((id) => id < a)) {
      const [x, y] = [lives.get(a)!, lives.get(b)!]
      if (x.from > y.to || y.from > x.to) continue
      const [p, q] = [plan.arena.offsets.get(a)!, plan.arena.offsets.get(b)!]
      const isApart = p + bytesOf(plan.slots[a].layout) <= q || q + bytesOf(plan.slots[b].layout) <= p
      expect(isApart).toBe(true)
    }
  }
}

describe('the step of a network', () => {
  it('updates all parameters by one launch', () => {
    const { launches } = planGraph(weightedStep(lenet(), { batch: 8, optimizer: sgd() }), 'bf16')
    const steps = launches.filter((launch) => launch.kind === 'table' && launch.table === 'sgd')
    expect(steps.map((launch) => (launch as Launch & { kind: 'table' }).rows.length)).toEqual([10])
    expect(launches.at(-1)).toBe(steps[0])
  })

  it('lets the gradients by parameters run beside the others', () => {
    const { launches, beside } = planGraph(weightedStep(lenet(), { batch: 8, optimizer: sgd() }), 'fp32')
    const weight = launches.filter(
      (launch) => launch.kind === 'convolution' && launch.convolution.direction === 'weight',
    )
    expect(weight.length).toBe(2)
    expect(weight.every((launch) => beside.has(launch))).toBe(true)
    const others = launches.filter(
      (launch) => launch.kind === 'convolution' && launch.convolution.direction !== 'weight',
    )
    expect(others.some((launch) => beside.has(launch))).toBe(false)
  })

  it('writes running statistics where the batch statistics are computed, without a launch of their own', () => {
    const { launches } = planGraph(weightedStep(miniResNet(), { batch: 4, optimizer: sgd() }), 'bf16')
    const copies = launches.filter((launch) => launch.kind === 'table' && launch.table === 'copy')
    expect(copies).toEqual([])
  })

  it('refuses tensors that 32 bits cannot count', () => {
    const graph = weightedStep(lenet(), { batch: 700_000, optimizer: sgd() })
    expect(() => planGraph(graph, 'fp32')).toThrow(
      'a tensor must have fewer than 2^31 entries, got "[700000, 6, 24, 24]"; use smaller batches',
    )
  })
})
