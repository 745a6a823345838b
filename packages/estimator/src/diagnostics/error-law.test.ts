import type { ErrorLaw } from 'rlvi'
import { expect, test } from 'vitest'
import { errorLawText, isPlainLaw } from './error-law.js'

const cases: [ErrorLaw, string][] = [
  [{ name: 'normal' }, 'normal'],
  [{ name: 'poisson' }, 'Poisson counts'],
  [
    { name: 'student', degreesOfFreedom: 4.217 },
    'heavier tails than normal (Student t, 4.2 degrees of freedom)',
  ],
  [
    { name: 'student', degreesOfFreedom: 45 },
    'tails much like normal ones (Student t, 45 degrees of freedom)',
  ],
  [
    { name: 'student', degreesOfFreedom: Number.POSITIVE_INFINITY },
    'tails much like normal ones (Student t, over 100 degrees of freedom)',
  ],
  [{ name: 'skewed', above: 0.634 }, 'skewed, 63 % lie above the peak, heavier tail on the right'],
  [{ name: 'skewed', columns: [2] }, 'skewed in 1 column'],
  [
    { name: 'skewed', columns: [0, 2], degreesOfFreedom: 4.2 },
    'skewed in 2 columns, apart from that heavier tails than normal (Student t, 4.2 degrees of freedom)',
  ],
  [{ name: 'skewed', above: 0.1 }, 'skewed, 90 % lie below the peak, heavier tail on the left'],
  [{ name: 'skewed', above: 0.4999 }, 'hardly skewed, half of them lie above the peak'],
  [
    { name: 'varying', growth: 1.8 },
    'their scatter grows with the prediction (times 1.8 per standard deviation of the predictions)',
  ],
  [
    { name: 'varying', growth: 0.613 },
    'their scatter shrinks with the prediction (times 0.61 per standard deviation of the predictions)',
  ],
  [
    { name: 'varying', growth: 1.001 },
    'their scatter hardly changes with the prediction (times 1 per standard deviation of the predictions)',
  ],
  [
    { name: 'skewed', above: 0.7, growth: 2 },
    'skewed, 70 % lie above the peak, heavier tail on the right; ' +
      'their scatter grows with the prediction (times 2 per standard deviation of the predictions)',
  ],
  [
    { name: 'negative-binomial', dispersion: 0.5 },
    'overdispersed counts (negative binomial, variance m + 0.5 m²)',
  ],
  [
    { name: 'negative-binomial', dispersion: 0.00123 },
    'overdispersed counts (negative binomial, variance m + 0.0012 m²)',
  ],
  [
    { name: 'negative-binomial', dispersion: 0 },
    'counts as scattered as Poisson ones (negative binomial, variance m)',
  ],
]

test.each(cases)('%j', (law, words) => expect(errorLawText(law)).toBe(words))

test('a law without its numbers still has words', () => {
  for (const name of ['student', 'skewed', 'varying', 'negative-binomial'] as const)
    expect(errorLawText({ name })).not.toMatch(/undefined|NaN/)
})

test('normal and Poisson rows go without saying, unless their scatter follows the prediction', () => {
  const plain = cases.filter(([law]) => isPlainLaw(law)).map(([{ name }]) => name)
  expect(plain).toEqual(['normal', 'poisson'])
  expect(isPlainLaw({ name: 'normal', growth: 1.5 })).toBe(false)
  expect(errorLawText({ name: 'normal', growth: 1.5 })).toMatch(/^normal; their scatter grows/)
})
