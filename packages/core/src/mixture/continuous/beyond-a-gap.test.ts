import { describe, expect, it } from 'vitest'
import { covariance } from '../../likelihoods/covariance.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { type Draws, draws } from '../../random/draws.js'
import { allowForGap } from './beyond-a-gap.js'

const ROWS = 300
const BAD = 36

/** Rows of three columns; the first `bad` of them are told by `spoil`. */
function cloud(
  run: number,
  row: (random: Draws) => number[],
  bad = 0,
  spoil: (row: number[]) => number[] = (one) => one,
) {
  const random = draws('beyond a gap', run)
  const x = matrix(ROWS, 3)
  for (let i = 0; i < ROWS; i++) x.values.set(i < bad ? spoil(row(random)) : row(random), 3 * i)
  return { x }
}

/** Sodium, potassium, creatinine, as laboratories have them. */
const bloods = (random: Draws): number[] => {
  const s = random.normal()
  return [
    140 + 2.5 * random.normal(),
    4.2 + 0.24 * s + 0.3 * random.normal(),
    80 * Math.exp(0.25 * s + 0.2 * random.normal()),
  ]
}

const told = (data: ReturnType<typeof cloud>) => {
  const { corruption, cautions } = fit(covariance(), data)
  return {
    interval: corruption.interval!,
    about: cautions?.map(({ about }) => about) ?? [],
    caution: cautions?.find(({ message }) => message.includes('beyond a gap')),
  }
}

describe('rows of which one column is in another unit', () => {
  // Before: "0 %, 0 to .6 %" without a word in some sets: the rows widen the scale in which they are three scales off.
  it.each([1, 2, 3])('are told, and the interval holds their share: set %i', (run) => {
    const data = cloud(run, bloods, BAD, ([na, k, cr]) => [na, k, cr / 88.4])
    const { interval, about } = told(data)
    expect(interval[0]).toBeLessThanOrEqual(BAD / ROWS)
    expect(interval[1]).toBeGreaterThanOrEqual(BAD / ROWS)
    expect(about).toContain('cluster')
  })

  it('name the column, and from where on', () => {
    const { caution } = told(cloud(1, bloods, BAD, ([na, k, cr]) => [na, k, cr / 88.4]))
    expect(caution).toMatchObject({ about: 'cluster', column: 2 })
    expect(caution!.values![0]).toBeLessThan(3)
  })

  it.each([4, 5, 6])('clean rows are not suspected, nor values on steps: set %i', (run) => {
    expect(told(cloud(run, bloods)).caution).toBeUndefined()
    const answers = (random: Draws): number[] => {
      const s = random.normal()
      return [0, 1, 2].map(() => Math.min(5, Math.max(1, Math.round(3 + s + random.normal()))))
    }
    expect(told(cloud(run, answers)).caution).toBeUndefined()
  })
})

it('of very many rows a few show which columns have a gap, and all of them how many rows lie beyond it', () => {
  const rows = 70_000
  const random = draws('many rows')
  const x = matrix(rows, 2)
  for (let i = 0; i < rows; i++)
    x.values.set([random.normal(), i % 50 === 0 ? random.normal() - 40 : random.normal()], 2 * i)
  const params = covariance().fit({ x })
  const fit = {
    params,
    clean: new Float64Array(rows).fill(1),
    corruption: { level: 0, interval: [0, 0.001] as const, source: 'inferred' as const },
    status: { kind: 'converged' as const },
    losses: new Float64Array(rows),
    iterations: 1,
    trace: [],
  }
  const judged = allowForGap(x, { fit, evidence: 0, tied: false, curves: [] })
  expect(judged.cautions?.map(({ column }) => column)).toEqual([1])
  expect(judged.cautions![0].message).toContain('1400 of 70000 rows')
  expect(judged.fit.corruption.interval![1]).toBeGreaterThanOrEqual(0.02)
})
