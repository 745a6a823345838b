import { expect, it } from 'vitest'
import { exactEStep } from '../inference/exact.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { boundOf, exactStep } from './e-step.js'
import { LossBinsBuilder } from './loss-bins.js'
import { lossPoints } from './loss-points.js'

/** Losses of several kinds, in blocks; the least comes late. */
function lossesOf(kind: string, seed: number): Float64Array[] {
  const random = new TestRandom(seed)
  const one = (i: number): number => {
    const square = random.normal() ** 2
    if (kind === 'wide') return i % 5 === 0 ? 1000 * square : 3 * square
    if (kind === 'negative') return square - 40
    if (kind === 'far') return 500 + square
    if (kind === 'late') return i < 300 ? 1e6 + square : square - 2
    return square - 1.5
  }
  return [0, 1, 2, 3].map((block) => Float64Array.from({ length: 150 }, (_, i) => one(block * 150 + i)))
}

const kinds = ['usual', 'wide', 'negative', 'far', 'late']

it.each(kinds)('points of %s losses have the sums of all rows', (kind) => {
  const blocks = lossesOf(kind, 3)
  const builder = new LossBinsBuilder()
  for (const block of blocks) builder.add(block)
  const points = lossPoints(builder.finish())
  const all = blocks.flatMap((block) => [...block])
  expect(points.rows).toBe(all.length)
  expect(points.least).toBe(Math.min(...all))
  expect(points.most).toBe(Math.max(...all))
  const near = points.least
  const functions: ((l: number) => number)[] = [
    (l) => 1 / (1 + Math.exp(l - near - 1)),
    (l) => (1 / (1 + Math.exp(l - near))) ** 2,
    (l) => Math.exp(near - l),
    (l) => l / (1 + Math.exp(Math.min(l - near, 700))),
    (l) => Math.log1p(Math.exp(near + 2 - l)),
  ]
  for (const f of functions) {
    const wanted = all.reduce((sum, l) => sum + f(l), 0)
    let got = 0
    points.losses.forEach((l, i) => {
      got += points.counts[i] * f(l)
    })
    expectClose(got, wanted, 1e-11, 1e-11)
  }
})

it.each(['usual', 'wide', 'negative', 'late'])('the exact E-step of %s losses', (kind) => {
  for (const seed of [1, 2, 3]) {
    const blocks = lossesOf(kind, seed)
    const builder = new LossBinsBuilder()
    for (const block of blocks) builder.add(block)
    const got = exactStep(lossPoints(builder.finish()))
    const wanted = exactEStep(Float64Array.from(blocks.flatMap((block) => [...block])))
    expect(got.status).toBe(wanted.status)
    expectClose(got.level, wanted.level, 1e-9, 1e-14)
  }
})

it('a loss that is no number is not lost', () => {
  const builder = new LossBinsBuilder()
  builder.add(Float64Array.of(1, Number.NaN, 2))
  builder.add(Float64Array.of(1, 2))
  expect(builder.finish().most).toBeNaN()
})

it('a row of infinite loss, as beside an exact fit, counts in the bound as one that is far off', () => {
  const builder = new LossBinsBuilder()
  builder.add(Float64Array.of(0, 0.5, 1))
  const points = lossPoints(builder.finish())
  const step = { status: undefined, logOdds: -0.3, mean: 0.4, active: true } as const
  const beside = (loss: number): number => {
    const [losses, counts] = [
      [...points.losses, loss],
      [...points.counts, 1],
    ].map((all) => Float64Array.from(all))
    return boundOf({ ...points, losses: losses!, counts: counts! }, step)
  }
  expectClose(beside(Number.POSITIVE_INFINITY), beside(700), 1e-12)
})
