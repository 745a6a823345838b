import { describe, expect, it } from 'vitest'
import { linear } from '../likelihoods/linear.js'
import { matrix } from '../matrix.js'
import { type Draws, draws } from '../random/draws.js'
import { fit } from './fit.js'

const RUNS = 3

/** A feature and the indicators of three kinds; y = 2 a and an error. The first rows are bad. */
function fitted(name: string, error: (random: Draws, kind: number) => number, bad: number, run: number) {
  const random = draws('uneven-errors', name, bad, run)
  const n = 180
  const x = matrix(n, 3)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const [a, kind] = [random.normal(), i % 3]
    x.values.set([a, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0], 3 * i)
    y[i] = 2 * a + (i < bad ? (i % 2 === 0 ? 40 : -40) + random.normal() : error(random, kind))
  }
  return fit(linear(), { x, y })
}

const all = (name: string, error: (random: Draws, kind: number) => number, bad: number) =>
  Array.from({ length: RUNS }, (_, run) => fitted(name, error, bad, run))

const holds = (found: ReturnType<typeof fitted>, share: number): boolean =>
  found.corruption.interval![0] <= share && share <= found.corruption.interval![1]

describe('scatter that differs between kinds of rows', () => {
  const error = (random: Draws, kind: number): number => [1, 1.5, 5][kind]! * random.normal()

  it.each([0, 9])(
    'with %i bad rows in 180: the interval holds them, and a caution names the column',
    (bad) => {
      const found = all('kinds', error, bad)
      expect(found.filter((one) => holds(one, bad / 180)).length).toBeGreaterThanOrEqual(RUNS - 1)
      const told = found.filter((one) =>
        one.cautions?.some(({ about, column }) => about === 'law' && column === 2),
      )
      expect(told.length).toBeGreaterThanOrEqual(RUNS - 1)
    },
  )

  it('is not told of rows that scatter alike', () => {
    for (const one of all('alike', (random) => random.normal(), 9))
      expect(one.cautions?.some(({ message }) => message.includes('scatter')) ?? false).toBe(false)
  })
})

describe('tails as heavy as those of no law', () => {
  it.each([0, 9])('with %i bad rows in 180: a caution, and an interval that holds them', (bad) => {
    const found = all('tails', (random) => random.studentT(1.3), bad)
    expect(found.filter((one) => holds(one, bad / 180)).length).toBeGreaterThanOrEqual(RUNS - 1)
    const told = found.filter((one) => one.cautions?.some(({ message }) => message.includes('Cauchy')))
    expect(told.length).toBeGreaterThanOrEqual(RUNS - 1)
    // They may as well be normal ones with bad rows: at the least those which are eight times as far off as half of all are.
    for (const { cautions, corruption, losses } of told) {
      expect(cautions!.map(({ message }) => message).join()).toContain('normal law')
      const off = losses.map((loss) => Math.sqrt(loss - Math.min(...losses))).sort()
      const far = off.filter((one) => one > 8 * off[off.length >> 1]!).length
      expect(corruption.interval![1]).toBeGreaterThan(far / losses.length)
    }
  })
})

describe('two humps of errors, of which neither is bad', () => {
  it('are told, and the interval holds 0 where nearly half of the rows count as bad', () => {
    const found = all('humps', (random) => (random.uniform(0, 1) < 0.5 ? -3 : 3) + 0.5 * random.normal(), 0)
    for (const { corruption, cautions } of found) {
      if (corruption.level! < 0.45) continue
      expect(corruption.interval![0]).toBe(0)
      expect(cautions!.map(({ about }) => about)).toContain('level')
    }
    expect(found.some(({ corruption }) => corruption.level! >= 0.45)).toBe(true)
  })
})
