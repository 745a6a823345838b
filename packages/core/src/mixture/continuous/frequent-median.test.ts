import { describe, expect, it } from 'vitest'
import { draws } from '../../random/draws.js'
import { frequentMedian } from './frequent-median.js'

type Draw = (random: ReturnType<typeof draws>) => number

const KINDS: ReadonlyArray<readonly [string, Draw]> = [
  ['ages', (random) => Math.round(45 + 10 * random.normal())],
  ['skewed numbers of days', (random) => Math.round(5 * random.chiSquared(4))],
  ['prices by tens of cents', (random) => Math.round(10 * (5 + random.normal())) / 10],
]

function column(draw: Draw, kind: string, run: number): Float64Array {
  const random = draws('frequent median', kind, run)
  return Float64Array.from({ length: 300 }, () => draw(random))
}

/** The first tenth of the rows has the median of the others. */
function filled(values: Float64Array): { given: Float64Array; median: number } {
  const others = values.slice(30).sort()
  const median = (others[134] + others[135]) / 2
  return { given: values.slice().fill(median, 0, 30), median }
}

describe.each(KINDS)('%s', (kind, draw) => {
  const runs = Array.from({ length: 20 }, (_, run) => column(draw, kind, run))

  it('a tenth filled in by the median: it is found, in any unit and order', () => {
    const found = runs.filter((values) => {
      const { given, median } = filled(values)
      expect(frequentMedian(given.map((value) => 12 * value).reverse())).toBe(
        frequentMedian(given) === undefined ? undefined : 12 * median,
      )
      return frequentMedian(given) === median
    })
    expect(found.length).toBeGreaterThanOrEqual(17)
  })

  it('as they are: none is found', () => {
    expect(runs.filter((values) => frequentMedian(values) !== undefined)).toEqual([])
  })
})

it('ages that people round to fives: the median is one of many that come often', () => {
  const random = draws('frequent median', 'rounded')
  const ages = Float64Array.from({ length: 400 }, () => {
    const age = Math.round(40 + 12 * random.normal())
    return random.uniform(0, 1) < 0.4 ? 5 * Math.round(age / 5) : age
  })
  expect(frequentMedian(ages)).toBeUndefined()
})
