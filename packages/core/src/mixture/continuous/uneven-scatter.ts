import { covariance } from '../../likelihoods/covariance.js'
import { digamma } from '../../likelihoods/log-gamma.js'
import { type Matrix, takeRows } from '../../matrix.js'
import type { Corruption } from '../../result.js'
import { thinnedRows } from '../shared/thinned.js'
import { type SecondOpinion, united } from './second-opinion.js'

/** By so much more per row a covariance must explain good rows than one scale: two columns with a correlation of .43. */
const UNEVEN = 0.1
/** So many rows tell whether a covariance calls as many of them bad. */
const ENOUGH = 2000

/**
 * `mean` takes rows to scatter alike in every direction. Where they do not, their distances follow no law that it knows: what
 * it calls bad, or good, may be the scatter of one direction. The interval then also holds what `covariance` says.
 */
export function ofUnevenScatter(
  x: Matrix,
  clean: Float64Array,
  corruption: Corruption,
  again: (x: Matrix) => Corruption,
): SecondOpinion {
  if (x.cols < 2 || !(unevenness(x, clean) > UNEVEN)) return { cautions: [], corruption }
  const some = x.rows > 2 * ENOUGH ? takeRows(x, thinnedRows(x.rows, ENOUGH)) : x
  const other = again(some)
  const both = united(corruption, other)
  if (corruption.level === 0 && other.level === 0) return { cautions: [], corruption: both }
  const message =
    'the columns go together, or scatter more along some than along others; a mean takes them to scatter alike in every direction: model covariance judges such rows better'
  return { cautions: [{ about: 'law', message }], corruption: both }
}

/** By so many standard deviations chance may go. */
const CHANCE = 3

/**
 * Mean log-likelihood per row that the good rows' covariance gains over one scale, less what it may gain on rows that scatter alike in every
 * direction, which in few rows is much; 0 where there is no covariance.
 */
function unevenness(x: Matrix, clean: Float64Array): number {
  const model = covariance()
  const params = model.fit({ x }, clean)
  if (params.problem !== undefined) return 0
  let trace = 0
  for (let j = 0; j < x.cols; j++) trace += params.covariance.values[j * (x.cols + 1)]
  const good = clean.reduce((sum, p) => sum + p, 0)
  const gain = 0.5 * x.cols * Math.log(trace / x.cols) - model.logScale({ x }, params)
  // Twice the gain of all rows scatters about as chi-square of so many degrees of freedom.
  const more = 0.5 * x.cols * (x.cols + 1) - 1
  return gain - gainByChance(good - 1, x.cols) - (CHANCE * Math.sqrt(more / 2)) / good
}

/** The mean gain: half of what log determinants of covariances of so many degrees of freedom are too low by (Wishart's law). */
function gainByChance(freedom: number, columns: number): number {
  let sum = 0
  for (let j = 0; j < columns && j < freedom; j++) sum += Math.log(freedom / 2) - digamma((freedom - j) / 2)
  return 0.5 * sum
}
