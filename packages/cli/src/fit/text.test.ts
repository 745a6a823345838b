import { fitTable, type TableFit } from '@rlvi/estimator'
import type { Corruption, ErrorLaw } from 'rlvi'
import { describe, expect, test } from 'vitest'
import { normals } from '../testing/run.js'
import { toJson } from './json.js'
import { toText } from './text.js'

const z = normals(4)
const x = Array.from({ length: 40 }, z)
const y = x.map((value) => 2 * value + z())
const found = fitTable({ x, y }, { target: 'y' })
const fit: TableFit = { ...found, errors: undefined, badFrom: undefined, flagged: 0 }

/** What is printed below the parameters. */
function below(errors: ErrorLaw | undefined, corruption: Partial<Corruption> = {}): string[] {
  const text = toText({ ...fit, errors, corruption: { ...fit.corruption, ...corruption } })
  const lines = text.trimEnd().split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith('bad rows: ')))
}

describe('the share of bad rows', () => {
  const cases: [Partial<Corruption>, string][] = [
    [{ level: 0.22, interval: [0.07, 0.5] }, '22 % (90 % interval 7 % to 50 %)'],
    [{ level: 0, interval: [0, 0.021] }, '0 % (90 % interval 0 % to 2.1 %)'],
    // What may be none is not told as if it were known.
    [{ level: 0.06, interval: [0, 0.09] }, 'about 6 %, perhaps none (90 % interval 0 % to 9 %)'],
    // One row of 10,000 is not none.
    [{ level: 0.0001, interval: [0.0001, 0.004] }, '< 0.1 % (90 % interval < 0.1 % to 0.4 %)'],
    [{ level: 0.06, interval: undefined }, 'about 6 % (how far off that is cannot be told)'],
    [{ level: undefined, interval: undefined }, 'this method does not say'],
  ]
  test.each(cases)('%j', (corruption, words) => {
    expect(below(undefined, corruption)).toEqual([`bad rows: ${words}, none flagged`])
  })
})

describe('the law of good rows', () => {
  test('goes without saying where it is the plain one', () => {
    for (const law of [undefined, { name: 'normal' }, { name: 'poisson' }] as const)
      expect(below(law)).toHaveLength(1)
  })

  test('is a line below the share of bad rows otherwise', () => {
    expect(below({ name: 'student', degreesOfFreedom: 4.2 })[1]).toBe(
      'good rows: heavier tails than normal (Student t, 4.2 degrees of freedom)',
    )
    expect(below({ name: 'varying', growth: 1.8 })[1]).toMatch(/^good rows: their scatter grows with/)
  })

  test('is in the JSON whatever it is, with its numbers as they are', () => {
    expect(toJson({ ...fit, errors: { name: 'normal' } }, 0)).toHaveProperty('errors', { name: 'normal' })
    const law: ErrorLaw = { name: 'skewed', above: 0.6312345, growth: 1.8123 }
    expect(toJson({ ...fit, errors: law }, 0)).toHaveProperty('errors', law)
    expect(toJson(fit, 0)).not.toHaveProperty('errors')
  })
})

test('from where on rows count as bad is a line of its own, and in the JSON as it is', () => {
  const badFrom = { above: 4.1234, below: 1.3 }
  expect(toText({ ...fit, badFrom })).toContain(
    "\nrows count as bad from about 4.1 above and 1.3 below the prediction on; smaller errors look like good rows' scatter\n",
  )
  expect(toJson({ ...fit, badFrom }, 0)).toHaveProperty('badFrom', badFrom)
  expect(toText(fit)).not.toContain('count as bad')
})

test('nearly all of the variance is not all of it', () => {
  const share = (share: number): string => toText({ ...fit, explained: { measure: 'R²', share } })
  expect(share(0.9996)).toContain('explains 99.9 % of the variance')
  expect(share(1)).toContain('explains 100 % of the variance')
  expect(share(0.994)).toContain('explains 99 % of the variance')
})

test('what there would be without protection has the decimals of the estimate: a difference is one', () => {
  const own = fitTable({ x, y: y.map((value) => 1e6 + 1e4 * value) }, { target: 'y' })
  const [, , , last] = /intercept +(\d+) +± (\d+) .* (\d+)\n/.exec(toText(own))!
  const { intercept } = own.ml as { intercept: number }
  expect(Number(last)).toBe(Math.round(intercept))
})

test('a 0 of a flagged row is printed as 0, whatever its column was divided by', () => {
  const centre = 0.25
  const off = (scale: number): number => (-centre / scale) * scale + centre
  const scale = Array.from({ length: 99 }, (_, k) => 0.41 + k / 1000).find((own) => off(own) !== 0)!
  const { x: seen } = fit.design
  const design = {
    ...fit.design,
    x: { ...seen, values: seen.values.map(() => -centre / scale) },
    units: { centre: Float64Array.of(centre), scale: Float64Array.of(scale) },
  }
  const text = toText({ ...fit, design, clean: fit.clean.map(() => 0), flagged: 40 })
  const [, ...rows] = text.slice(text.indexOf('row (from 1)')).split('\n')
  expect(rows[0]!.trim().split(/\s+/)[2]).toBe('0')
})
