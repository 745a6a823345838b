import { describe, expect, it } from 'vitest'
import { poisson } from '../../../likelihoods/poisson.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { TestRandom } from '../../../testing/random.js'

function poissonDraw(random: TestRandom, rate: number): number {
  let count = 0
  for (let p = random.uniform(); p > Math.exp(-rate); count++) p *= random.uniform()
  return count
}

/** Counts of the given mean, three in twenty of which `spoil` makes wrong; rates scatter by `scatter`. */
function counts(
  seed: number,
  n: number,
  mean: number,
  spoil: (count: number) => number,
  scatter = 0,
): { x: ReturnType<typeof matrix>; y: Float64Array } {
  const random = new TestRandom(seed)
  const x = matrix(n, 1)
  const y = Float64Array.from({ length: n }, (_, i) => {
    x.values[i] = random.normal()
    const rate = mean * Math.exp(0.3 * x.values[i] + scatter * random.normal() - scatter ** 2 / 2)
    const count = poissonDraw(random, rate)
    return i % 20 < 3 ? spoil(count) : count
  })
  return { x, y }
}

describe('bad counts near the good ones, 15 % of them', () => {
  it.each([
    ['doubled', (count: number) => 2 * count],
    ['halved', (count: number) => Math.floor(count / 2)],
    ['ten more', (count: number) => count + 10],
  ] as const)('%s: are counted where they can be seen, and said to lie near', (_, spoil) => {
    const { corruption, cautions } = fit(poisson(), counts(1, 300, 30, spoil))
    const [low, high] = corruption.interval!
    expect(low).toBeLessThanOrEqual(0.15)
    expect(high).toBeGreaterThanOrEqual(0.15)
    expect(cautions?.map(({ about }) => about)).toEqual([corruption.level! > 0 ? 'cluster' : 'law'])
  })

  it('are left open where they look like overdispersion', () => {
    const { corruption, cautions } = fit(
      poisson(),
      counts(2, 300, 3, (count) => 2 * count),
    )
    expect(corruption.interval![0]).toBeLessThanOrEqual(0.15)
    expect(corruption.interval![1]).toBeGreaterThanOrEqual(0.15)
    expect(cautions![0].message).toMatch(/the rows cannot tell the two apart, and the interval holds both/)
  })
})

// Before: halves about a tenth were told as 23 %, at least 17 %, and ten more than three as 19 %, at least 17 %: halves scatter less than
// counts about half of the mean do, and counts with ten more less than counts about a mean that is larger by ten.
it.each([
  ['halves of about 10', 10, (count: number) => Math.floor(count / 2)],
  ['ten more than about 3', 3, (count: number) => count + 10],
] as const)('%s: the interval holds their share in 800 rows', (_, mean, spoil) => {
  for (const seed of [11, 12]) {
    const [low, high] = fit(poisson(), counts(seed, 800, mean, spoil)).corruption.interval!
    expect(low).toBeLessThanOrEqual(0.15)
    expect(high).toBeGreaterThanOrEqual(0.149)
  }
})

it('counts with ten more are said to be about ten more', () => {
  const { cautions } = fit(
    poisson(),
    counts(13, 800, 10, (count) => count + 10),
  )
  expect(cautions![0].message).toMatch(/about (9|10|11)(\.\d)? more than good counts of their rows/)
})

it.each([3, 30])('counts of mean %d whose rates scatter, none of them bad: the interval holds 0', (mean) => {
  const { corruption } = fit(
    poisson(),
    counts(3, 300, mean, (count) => count, 0.3),
  )
  expect(corruption.level).toBe(0)
  expect(corruption.interval![0]).toBe(0)
})

// Before: 27 % of them halved gave 0 %, at most 4 %, and no word.
it('small counts: where nothing is found, it is said that halves of good ones would look like them; of large ones nothing', () => {
  const said = (mean: number, seed: number): string =>
    fit(
      poisson(),
      counts(seed, 200, mean, (count) => count),
    )
      .cautions?.map(({ message }) => message)
      .join() ?? ''
  for (const seed of [5, 6, 7]) {
    expect(said(2, seed)).toMatch(/half of what it should be|near the good ones/)
    expect(said(12, seed)).not.toMatch(/half of what it should be/)
  }
})
