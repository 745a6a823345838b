import { linear, matrix, ml, type Supervised, takeRows } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { deviationOf } from './statistics.js'

/**
 * Regression data whose good rows have errors of many kinds, and gross outliers among them. All features have variance 1, all
 * slopes of the best line are known, and exactly round(share n) rows are bad.
 */

export const ERROR_KINDS = [
  'normal',
  't5',
  't3',
  'scale-prediction',
  'scale-feature',
  'exponential',
  'lognormal',
  'multiplicative',
  'bounded',
  'curve',
] as const
export type ErrorKind = (typeof ERROR_KINDS)[number]

export const KIND_WORDS: Readonly<Record<ErrorKind, string>> = {
  normal: 'normal errors',
  t5: "Student's t with 5 degrees",
  t3: "Student's t with 3 degrees",
  'scale-prediction': 'normal, scale proportional to exp(.4 of the standardised prediction)',
  'scale-feature': 'normal, scale linear in one feature (.3 to 1.7)',
  exponential: 'centred exponential',
  lognormal: 'centred lognormal(.5)',
  multiplicative: 'y = exp(eta) times lognormal(.4)',
  bounded: 'uniform within 1.7',
  curve: 'a quadratic in one feature fitted by a line, normal errors',
}

/** `shift`: up by 10 standard deviations of the residuals, with the row's own noise; `uniform`: within 20 in its place. */
export const OUTLIER_KINDS = ['shift', 'uniform'] as const
export type OutlierKind = (typeof OUTLIER_KINDS)[number]

export interface SetOptions {
  readonly kind: ErrorKind
  readonly rows: number
  readonly columns: number
  /** Share of bad rows. */
  readonly share: number
  readonly outliers: OutlierKind
}

export interface KnownSet {
  readonly data: Supervised
  /** The rows that are good, by themselves. */
  readonly good: Supervised
  /** The share of bad rows, exactly. */
  readonly truth: number
  /** Of the best line for good rows. */
  readonly slopes: readonly number[]
}

const INTERCEPT = 1
/** Standard deviations of log(y) in `multiplicative`: of what the features say, and of the noise. */
const ETA = 0.5
const LOG_NOISE = 0.4
const BEND = 1

export function errorSet(options: SetOptions, seed: number, run: number): KnownSet {
  const { kind, rows, columns, share, outliers } = options
  const random = draws(seed, 'errors', kind, rows, columns, share, outliers, run)
  const x = matrix(rows, columns)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const row = Float64Array.from({ length: columns }, (_, j) => feature(kind, j, random))
    x.values.set(row, i * columns)
    y[i] = response(kind, row, random)
  }
  const bad = Math.round(share * rows)
  spoil({ x, y }, bad, outliers, random)
  const goodRows = Array.from({ length: rows - bad }, (_, i) => bad + i)
  return {
    data: { x, y },
    good: { x: takeRows(x, goodRows), y: y.slice(bad) },
    truth: bad / rows,
    slopes: new Array<number>(columns).fill(slope(kind, columns)),
  }
}

/** Where the scale follows a feature, that feature is positive; all others are standard normal. */
function feature(kind: ErrorKind, column: number, random: Draws): number {
  return kind === 'scale-feature' && column === 0 ? random.uniform(0, Math.sqrt(12)) : random.normal()
}

/** By Stein's identity the best line of exp(eta) has slopes E[y] times eta's. */
function slope(kind: ErrorKind, columns: number): number {
  if (kind !== 'multiplicative') return 1
  return (ETA / Math.sqrt(columns)) * Math.exp(INTERCEPT + (ETA ** 2 + LOG_NOISE ** 2) / 2)
}

function response(kind: ErrorKind, row: Float64Array, random: Draws): number {
  const sum = row.reduce((a, b) => a + b, 0)
  const z = random.normal()
  if (kind === 'multiplicative') {
    return Math.exp(INTERCEPT + (ETA * sum) / Math.sqrt(row.length) + LOG_NOISE * z)
  }
  return INTERCEPT + sum + noise(kind, row, sum / Math.sqrt(row.length), z, random)
}

/** Of mean 0, and of about one size. */
function noise(kind: ErrorKind, row: Float64Array, prediction: number, z: number, random: Draws): number {
  switch (kind) {
    case 't5':
      return random.studentT(5)
    case 't3':
      return random.studentT(3)
    case 'scale-prediction':
      return Math.exp(0.4 * prediction) * z
    case 'scale-feature':
      return (0.3 + 0.4 * row[0]) * z
    case 'exponential':
      return random.chiSquared(2) / 2 - 1
    case 'lognormal':
      return 2 * (Math.exp(0.5 * z) - Math.exp(0.125))
    case 'bounded':
      return random.uniform(-Math.sqrt(3), Math.sqrt(3))
    case 'curve':
      return BEND * (row[0] ** 2 - 1) + z
    default:
      return z
  }
}

/** Makes the first rows bad, in units of the residuals from a line through all rows while they are good. */
function spoil(data: Supervised, bad: number, outliers: OutlierKind, random: Draws): void {
  if (bad === 0) return
  const { params } = ml(linear(), data)
  const fitted = linear().predict(data.x, params)
  const size = deviationOf(data.y.map((value, i) => value - fitted[i]))
  for (let i = 0; i < bad; i++) {
    data.y[i] = outliers === 'shift' ? data.y[i] + 10 * size : fitted[i] + random.uniform(-20, 20) * size
  }
}
