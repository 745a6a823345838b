import { thinned } from '../shared/thinned.js'

/** Rows whose scatter follows the prediction: the scale is e^(growth t), with t the prediction in standard deviations. */
export interface Growth {
  /** Change of the log scale per standard deviation of the predictions. */
  readonly rate: number
  /** The scale of each row in units of the scale where t is 0; all log scales sum to 0. */
  readonly scales: Float64Array
  /** How a prediction becomes its t. */
  readonly standard: Standard
}

/** t = (prediction - mean) / deviation, as far as it counts, less `middle`: of mean 0 over the rows. */
export interface Standard {
  readonly mean: number
  readonly deviation: number
  readonly middle: number
}

/** The scales of rows by what is predicted for them. */
export function scalesAt({ rate, standard }: Growth, predicted: Float64Array): Float64Array {
  return scalesOf(rate, standardisedBy(standard, predicted))
}

/** log |normal| has a standard deviation of 1.11. */
export const SPREAD = 1.11
/** A residual of 0 would count without end. */
export const LEAST_OFFSET = 1e-3
/** By so many standard errors must the rate differ from 0 for a law with it to be tried. */
const WORTH_TRYING = 2.5
/** No prediction counts for more standard deviations than this. */
export const FARTHEST = 3
/** No faster does a scale grow. */
const FASTEST = 1.5
const ROUNDS = 15
/** So many rows show any growth worth telling. */
const ENOUGH = 20_000

/** The growth that the residuals show; undefined where they show none. */
export function growthOf(
  residuals: Float64Array,
  predicted: Float64Array,
  good: Float64Array,
  always: boolean,
): Growth | undefined {
  // A part of many rows shows whether it is worth a look at all.
  if (!always && residuals.length >= 2 * ENOUGH) {
    const [r, p, g] = [residuals, predicted, good].map((values) => thinned(values, ENOUGH))
    if (growthOf(r, p, g, always) === undefined) return undefined
  }
  const found = standardised(predicted, good)
  if (found === undefined) return undefined
  const { t, standard } = found
  let squares = 0
  for (const value of t) squares += value * value
  // The slope of log |residual|, in which an outlier counts little.
  let rate = 0
  let mean = 0
  const logs = residuals.map((r) => Math.log(Math.max(Math.abs(r), LEAST_OFFSET)))
  for (const log of logs) mean += log / logs.length
  for (let i = 0; i < t.length; i++) rate += (t[i] * (logs[i] - mean)) / squares
  rate = Math.max(-FASTEST, Math.min(FASTEST, rate))
  if (!always && Math.abs(rate) < (WORTH_TRYING * SPREAD) / Math.sqrt(squares)) return undefined
  return { rate, scales: scalesOf(rate, t), standard }
}

/** The rate that residuals and P(good) under a first one suggest: maximum likelihood of normal rows, with bounded squares. */
export function refineGrowth(
  residuals: Float64Array,
  predicted: Float64Array,
  good: Float64Array,
  scale: number,
  from: number,
): Growth | undefined {
  const found = standardised(predicted, good)
  if (found === undefined) return undefined
  const { t, standard } = found
  let rate = from
  let log = 0
  for (let round = 0; round < ROUNDS; round++) {
    let [score, information, mean, total] = [0, 0, 0, 0]
    for (let i = 0; i < t.length; i++) {
      const u = (residuals[i] * Math.exp(-rate * t[i] - log)) / scale
      const excess = Math.min(u * u, 9) - 0.973
      score += good[i] * t[i] * excess
      information += 2 * good[i] * t[i] * t[i]
      mean += good[i] * excess
      total += good[i]
    }
    const step = score / Math.max(information, 1e-300)
    rate = Math.max(-FASTEST, Math.min(FASTEST, rate + Math.max(-0.5, Math.min(0.5, step))))
    log += Math.max(-0.5, Math.min(0.5, (0.5 * mean) / total))
    if (Math.abs(step) < 1e-8) break
  }
  return { rate, scales: scalesOf(rate, t), standard }
}

/** The predictions less their mean, by their standard deviation, both of good rows; of mean 0 over all rows. */
function standardised(
  predicted: Float64Array,
  good: Float64Array,
): { readonly t: Float64Array; readonly standard: Standard } | undefined {
  let [sum, squares, total, size] = [0, 0, 0, 0]
  for (let i = 0; i < predicted.length; i++) {
    sum += good[i] * predicted[i]
    total += good[i]
  }
  const mean = sum / total
  for (let i = 0; i < predicted.length; i++) {
    squares += good[i] * (predicted[i] - mean) ** 2
    size = Math.max(size, Math.abs(predicted[i]))
  }
  const deviation = Math.sqrt(squares / total)
  if (!(deviation > 1e-10 * size)) return undefined
  const t = standardisedBy({ mean, deviation, middle: 0 }, predicted)
  const middle = t.reduce((a, b) => a + b, 0) / t.length
  return { t: t.map((value) => value - middle), standard: { mean, deviation, middle } }
}

function standardisedBy({ mean, deviation, middle }: Standard, predicted: Float64Array): Float64Array {
  return predicted.map(
    (value) => Math.max(-FARTHEST, Math.min(FARTHEST, (value - mean) / deviation)) - middle,
  )
}

function scalesOf(rate: number, t: Float64Array): Float64Array {
  return t.map((value) => Math.exp(rate * value))
}
