import { gram } from '../../kernels/gram.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { weightedMean } from '../../likelihoods/mean.js'
import type { PcaParams } from '../../likelihoods/pca.js'
import { symmetricEigen } from '../../linalg/eigen.js'
import { type Matrix, mapRows, matrix } from '../../matrix.js'
import type { Corruption, Fit } from '../../result.js'
import type { SecondOpinion } from './second-opinion.js'

/** Variance of good rows along one direction, in that along the others that are left, from which on it is a component. */
const LARGER = 3
/** It explains bad rows that are then no farther off than all but so many of the good ones. */
const WITHIN = 0.99
/** And so large a part of the bad rows: a view that leaves most of them bad has not explained them. */
const EXPLAINED = 0.5
/** Fewer good rows for each column say little of directions. */
const ROWS_PER_COLUMN = 5

/**
 * Principal components are few, and what they leave is taken to be alike in all directions. Where good rows have a further component, those far out along it look
 * bad. So the interval leaves open that bad rows which the next component of the good ones explains are good.
 */
export function allowForFurtherComponent<P extends Params>(
  x: Matrix,
  { params, clean }: Pick<Fit<P>, 'params' | 'clean'>,
  corruption: Corruption,
): SecondOpinion {
  const none = { cautions: [], corruption }
  const { interval } = corruption
  if (interval === undefined || !(interval[0] > 0) || !hasComponents(params)) return none
  const rest = x.cols - params.components.rows
  const good = clean.reduce((count, p) => (p >= 0.5 ? count + 1 : count), 0)
  if (rest < 2 || good < ROWS_PER_COLUMN * x.cols) return none
  const left = leftOver(x, params)
  const { values, vectors } = symmetricEigen(covarianceOf(left, clean), x.cols)
  const others = (values.reduce((a, b) => a + b, 0) - values[0]) / (rest - 1)
  if (!(values[0] > LARGER * others)) return none
  const direction = vectors.subarray(0, x.cols)
  const beyond = squaresOff(left, direction)
  const reach = Float64Array.from(beyond.filter((_, i) => clean[i] >= 0.5)).sort()
  const limit = reach[Math.floor(WITHIN * (reach.length - 1))]
  let [bad, still] = [0, 0]
  for (let i = 0; i < x.rows; i++) {
    if (clean[i] >= 0.5) continue
    bad++
    if (beyond[i] > limit) still++
  }
  if (bad === 0 || still > (1 - EXPLAINED) * bad) return none
  const message = `good rows differ along one more direction than there are components, and ${bad - still} of ${bad} bad rows are far off along it alone: with one more component they may be good, and the interval allows for that`
  const low = Math.min(interval[0], (interval[0] * still) / bad)
  return {
    cautions: [{ about: 'law', message }],
    corruption: { ...corruption, interval: [low < 1 / x.rows ? 0 : low, interval[1]] },
  }
}

function hasComponents(params: Params): params is PcaParams {
  return 'components' in params
}

/** What the components leave of each row. */
function leftOver(x: Matrix, { mean, components }: PcaParams): Matrix {
  const { rows, cols } = x
  const left = matrix(rows, cols)
  for (let i = 0; i < rows; i++) {
    const row = left.values.subarray(i * cols, (i + 1) * cols)
    for (let j = 0; j < cols; j++) row[j] = x.values[i * cols + j] - mean[j]
    for (let k = 0; k < components.rows; k++) {
      let score = 0
      for (let j = 0; j < cols; j++) score += row[j] * components.values[k * cols + j]
      for (let j = 0; j < cols; j++) row[j] -= score * components.values[k * cols + j]
    }
  }
  return left
}

/** The lower triangle of that of the good rows, about their mean. */
function covarianceOf(x: Matrix, clean: Float64Array): Float64Array {
  const good = mapRows(clean, (p) => Number(p >= 0.5))
  const total = good.reduce((sum, one) => sum + one, 0)
  const lower = new Float64Array(x.cols * x.cols)
  gram(x, weightedMean(x, good), good, good, lower, new Float64Array(x.cols))
  return lower.map((sum) => sum / total)
}

/** Squared lengths of rows without what lies along a direction. */
function squaresOff({ rows, cols, values }: Matrix, direction: Float64Array): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    let [square, along] = [0, 0]
    for (let j = 0; j < cols; j++) {
      const value = values[i * cols + j]
      square += value * value
      along += value * direction[j]
    }
    return square - along * along
  })
}
