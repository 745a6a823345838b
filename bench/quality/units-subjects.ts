import {
  type Continuous,
  type CovarianceParams,
  covariance,
  type Discrete,
  type LinearParams,
  linear,
  logistic,
  type MeanParams,
  matrix,
  mean,
  type Params,
  type PcaParams,
  pca,
  poisson,
  type SoftmaxParams,
  type Supervised,
  softmax,
  type Unsupervised,
} from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { changedColumns, changesOf, type Units } from './units-changes.js'

/** A model on data of which a tenth is wrong, with what may be done to its units. */
export interface Subject<D, P extends Params> {
  readonly name: string
  readonly likelihood: Continuous<D, P> | Discrete<D, P>
  readonly data: D
  readonly changes: readonly Units[]
  readonly change: (data: D, units: Units) => D
  /** The estimate in the first units again: numbers of about 1. */
  readonly estimates: (params: P, units: Units) => number[]
}

const ROWS = 200
const COLUMNS = 3

/** Rows with a response of the features' sum; every tenth row has another. */
function supervised(response: (sum: number, random: Draws) => number, wrong: (random: Draws) => number) {
  const random = draws(0, 'units')
  const x = matrix(ROWS, COLUMNS)
  const y = new Float64Array(ROWS)
  for (let i = 0; i < ROWS; i++) {
    const row = Array.from({ length: COLUMNS }, () => random.normal())
    x.values.set(row, i * COLUMNS)
    const sum = row.reduce((a, b) => a + b)
    y[i] = i % 10 === 0 ? wrong(random) : response(sum, random)
  }
  return { x, y }
}

const changeSupervised = ({ x, y }: Supervised, units: Units): Supervised => ({
  x: changedColumns(x, units),
  y: y.map((value) => units.response.factor * value + units.response.shift),
})

/** Slopes and intercept as they were before the columns and the response were changed. */
function coefficients({ intercept, coefficients: slopes }: LinearParams, units: Units): number[] {
  const { columns, response } = units
  const start = columns.reduce((sum, { shift }, j) => sum + slopes[j] * shift, intercept - response.shift)
  return [start, ...columns.map(({ factor }, j) => slopes[j] * factor)].map((c) => c / response.factor)
}

function predictor<P extends LinearParams>(
  likelihood: Subject<Supervised, P>['likelihood'],
  data: Supervised,
  response: boolean,
): Subject<Supervised, P> {
  return {
    name: likelihood.name,
    likelihood,
    data,
    changes: changesOf(COLUMNS, { each: true, response }),
    change: changeSupervised,
    estimates: coefficients,
  }
}

const flip = (random: Draws): number => Math.floor(random.uniform(0, 2))

const classes: Subject<Supervised, SoftmaxParams> = {
  name: 'softmax',
  likelihood: softmax({ classes: 3 }),
  data: supervised(
    (sum, random) => Math.max(0, Math.min(2, Math.round(1 + 0.7 * sum + 0.5 * random.normal()))),
    (random) => Math.floor(random.uniform(0, 3)),
  ),
  changes: changesOf(COLUMNS, { each: true, response: false }),
  change: changeSupervised,
  estimates: (params, { columns }) =>
    Array.from(params.coefficients.values, (value, at) => value * columns[at % COLUMNS].factor),
}

/** Rows N(0, C) with unequal variances; every tenth is far off. */
function cloud(): Unsupervised {
  const random = draws(1, 'units')
  const x = matrix(ROWS, COLUMNS)
  for (let i = 0; i < ROWS; i++) {
    const along = 2 * random.normal()
    for (let j = 0; j < COLUMNS; j++) {
      x.values[i * COLUMNS + j] = i % 10 === 0 ? 10 * random.normal() : along + 0.5 * random.normal()
    }
  }
  return { x }
}

const changeCloud = ({ x }: Unsupervised, units: Units): Unsupervised => ({ x: changedColumns(x, units) })
const centreOf = (centre: Float64Array, { columns }: Units): number[] =>
  columns.map(({ factor, shift }, j) => (centre[j] - shift) / factor)

/** PCA and the mean compare columns with each other, so these can only change units together. */
const together = changesOf(COLUMNS, { each: false, response: false })

const component: Subject<Unsupervised, PcaParams> = {
  name: 'pca',
  likelihood: pca(),
  data: cloud(),
  changes: together,
  change: changeCloud,
  estimates: (params) => Array.from(params.components.values),
}
const centre: Subject<Unsupervised, MeanParams> = {
  name: 'mean',
  likelihood: mean(),
  data: cloud(),
  changes: together,
  change: changeCloud,
  estimates: (params, units) => centreOf(params.mean, units),
}
const ellipse: Subject<Unsupervised, CovarianceParams> = {
  name: 'covariance',
  likelihood: covariance(),
  data: cloud(),
  changes: changesOf(COLUMNS, { each: true, response: false }),
  change: changeCloud,
  estimates: ({ mean: m, covariance: S }, units) => [
    ...centreOf(m, units),
    ...S.values.map((value, at) => {
      const [j, k] = [Math.floor(at / COLUMNS), at % COLUMNS]
      return value / (units.columns[j].factor * units.columns[k].factor)
    }),
  ],
}

/** Calls `use` with every subject, whatever its kind of data. */
export function withSubjects<T>(use: <D, P extends Params>(subject: Subject<D, P>) => T[]): T[] {
  const noisy = supervised(
    (sum, random) => 1 + sum + 0.5 * random.normal(),
    (random) => 10 * random.normal(),
  )
  const flipped = supervised((sum, random) => (sum + 0.5 * random.normal() > 0 ? 1 : 0), flip)
  const counts = supervised(
    (sum, random) => Math.round(Math.exp(1 + 0.3 * sum + 0.1 * random.normal())),
    (random) => Math.floor(random.uniform(0, 60)),
  )
  return [
    ...use(predictor(linear(), noisy, true)),
    ...use(predictor(logistic(), flipped, false)),
    ...use(predictor(poisson(), counts, false)),
    ...use(classes),
    ...use(component),
    ...use(centre),
    ...use(ellipse),
  ]
}
