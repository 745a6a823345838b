import type { CautionSubject, ErrorLawName } from 'rlvi'

/** The tables of data/cases, each generated and with a known truth, and what should be said of them. */

export interface Case {
  /** Of data/cases, without .csv. */
  readonly file: string
  readonly model: 'linear' | 'covariance' | 'poisson' | 'logistic'
  /** `y` unless said otherwise. */
  readonly response?: string
  /** What the rows are, in words. */
  readonly what: string
  readonly expected: Expected
}

/** What should be said; what is left out is not asked. */
export interface Expected {
  /** The interval holds it. */
  readonly holds?: number
  /** The level is between. */
  readonly level?: readonly [number, number]
  /** Rows with P(good) below 1/2, from 0: these and no others. */
  readonly flagged?: readonly number[]
  /** Rows whose value in a column is one of these have P(good) of at least 1/2. */
  readonly kept?: { readonly column: string; readonly values: readonly string[] }
  /** One of these is cautioned about. */
  readonly caution?: readonly CautionSubject[]
  readonly law?: readonly ErrorLawName[]
  /** The first slope is this, within .2. */
  readonly slope?: number
  /** No standard error is smaller. */
  readonly leastError?: number
  /** Level, interval and P(good) of the worst row are those of this file. */
  readonly sameAs?: string
}

const clean: Expected = { holds: 0 }
const FIRST = [0]

const counts = ['100', '150', '200', '300', '400', '500', '700', '1000', '3000', '10000', '100000']
const stack = ['0.1', '0.333', '3', '7', 'perm0', 'perm1', 'perm2', 'perm3', 'perm4', 'perm5', 'rev']

const line = (file: string, what: string, expected: Expected): Case => ({
  file,
  model: 'linear',
  what,
  expected,
})
const cloud = (file: string, what: string, expected: Expected): Case => ({
  file,
  model: 'covariance',
  what,
  expected,
})

export const CASES: readonly Case[] = [
  cloud('cluster2', '15 % in a cluster at 20 sigma, 2 columns', { holds: 0.15, level: [0.13, 0.17] }),
  cloud('cluster5', '15 % in a cluster at 20 sigma, 5 columns', { holds: 0.15, level: [0.13, 0.17] }),
  cloud('cluster5far', '20 % in a cluster at 1,000 sigma', { holds: 0.2, level: [0.18, 0.22] }),
  cloud('d25', '25 columns, 10 % far off', { holds: 0.1, level: [0.08, 0.12] }),
  line('lin20', '10 % bad leverage, 20 features, slope 1', { holds: 0.1, slope: 1 }),
  line('lin22', '10 % bad leverage, 22 features, slope 1', { holds: 0.1, slope: 1 }),
  ...counts.map(
    (count): Case => ({
      file: `pois_${count}`,
      model: 'poisson',
      what: `counts of about 5 and one of ${count}`,
      expected: { flagged: FIRST, level: [0, 0.02] },
    }),
  ),
  {
    file: 'pois_big',
    model: 'poisson',
    what: 'clean counts of 0 to 300',
    expected: { holds: 0, law: ['poisson'] },
  },
  {
    file: 'nb_big',
    model: 'poisson',
    what: 'clean negative binomial counts of mean 400',
    expected: { holds: 0, law: ['negative-binomial'] },
  },
  ...stack.map(
    (name): Case => ({
      file: `stack_${name}`,
      model: 'linear',
      response: 'loss',
      what: 'stack loss, in other units or another order',
      expected: { sameAs: 'stack_perm0' },
    }),
  ),
  line('n10_clean', 'ten clean rows', clean),
  line('n10_one', 'ten rows, one outlier', { flagged: [6] }),
  line('n10_lev', 'ten rows, a bad leverage point', { flagged: [9] }),
  // The curve explains 2 % of what a line leaves: too little to be told for certain.
  line('curved_mild', 'a mild curve, no bad row', { holds: 0 }),
  line('curved_lognX', 'a curve, a skewed feature, no bad row', { holds: 0, caution: ['curvature'] }),
  line('price_multiplicative', 'multiplicative errors, no bad row', {
    holds: 0,
    caution: ['curvature', 'law'],
  }),
  line('zeroinfl40', '40 % zeros', { caution: ['zeros'] }),
  line('zeroinfl60', '60 % zeros', { caution: ['zeros'] }),
  line('smallcounts_linear', 'counts of 0 to 4', { caution: ['zeros'] }),
  line('ties45', '45 % of the responses are 7', { caution: ['ties'], leastError: 0.001 }),
  line('ties80', '80 % of the responses are 7', { caution: ['ties'], leastError: 0.001 }),
  line('likert', 'survey answers 1 to 5', clean),
  line('lognormX1', 'skewed features, clean', clean),
  line('lognormX1.5', 'very skewed features, clean', clean),
  line('lognormX2', 'extremely skewed features, clean', clean),
  line('rarelevels', 'categories of one or two rows, true effects', {
    kept: { column: 'cat', values: ['E', 'F', 'G', 'H'] },
  }),
  line('rareindicator', 'ten rows with a true effect of 10', { kept: { column: 'd', values: ['1'] } }),
  // Drawn with a probability of 10 %; 43 of the 300 rows lie 3 to 9 above the rest.
  line('hiddengroup10', 'some rows shifted by 6', { holds: 43 / 300 }),
  line('tworegimes', 'two regimes, 70 and 30 %', { holds: 0.3 }),
  line('topcoded20', 'the top fifth cut off', clean),
  { file: 'knife-edge', model: 'logistic', what: '10 % of the labels flipped', expected: { holds: 0.1 } },
  line('p20n40', '40 clean rows, 20 features', clean),
  line('p25n30', '30 clean rows, 25 features', clean),
  // With one row more than coefficients no level is known: only numbers are asked for.
  line('p28n30', '30 clean rows, 28 features', {}),
  line('p20n40_one', 'the same and one outlier of 10', {}),
  line('p25n30_one', 'the same and one outlier of 10', {}),
  line('p28n30_one', 'the same and one outlier of 10', {}),
]
