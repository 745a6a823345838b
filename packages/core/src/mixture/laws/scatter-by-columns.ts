import type { Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { linear } from '../../likelihoods/linear.js'
import { columnOf, type Matrix, rowVector } from '../../matrix.js'
import { asEvidence } from './evidence.js'
import type { Laws } from './good-rows.js'
import { byEvidence } from './good-rows.js'
import { growthOf, LEAST_OFFSET, SPREAD } from './growth.js'
import { levelInterval } from './level.js'
import { inScales, offsetsOf } from './row-offsets.js'
import { candidates } from './select.js'

/** With more features than this, or fewer rows for each, chance explains scatter as well. */
const MANY = 50
const ROWS_EACH = 10
/** By so many standard deviations of what chance would explain. */
const CLEARLY = 5
/** Standard deviation of the log scale over the rows that is worth telling. */
const WORTH_TELLING = 0.2
/**
 * By so much less may all rows be explained so. The line says that scatter differs; the rest of the evidence is that of the bad rows, whose
 * shells in units of each row's own scale are no better a guess than in those of one.
 */
const REFUTED = 10

/** Good rows whose scatter differs along the features. */
export interface UnevenScatter {
  /** The feature along which it differs most. */
  readonly column: number
  /** What the level can be if scatter may differ so. */
  readonly interval: readonly [number, number]
}

/**
 * Whether rows scatter more in some places of the features than in others, as where one of several kinds scatters more: a line
 * through log |residual| (Harvey 1976), in which an outlier counts little. Growth along the prediction is a law of its own; this
 * is what it does not see. Undefined where chance may explain it, or the rows are explained clearly worse so.
 */
export function scatterByColumns<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  evidence: number,
  { shapes }: Laws,
): UnevenScatter | undefined {
  const x = likelihood.features(data)
  const { rows: n, cols } = x
  if (cols < 2 || cols > MANY || n < ROWS_EACH * cols) return undefined
  const offsets = offsetsOf(likelihood, data, params)
  const logs = offsets.map((off) => Math.log(Math.max(Math.abs(off), LEAST_OFFSET)))
  const line = linear().fit({ x, y: logs })
  if (line.problem !== undefined) return undefined
  const fitted = linear().predict(x, line)
  // Bad rows make logarithms scatter more than good ones alone.
  const chance = (Math.max(SPREAD, line.scale) ** 2 * (cols + CLEARLY * Math.sqrt(2 * cols))) / n
  if (varianceOf(fitted) - chance < WORTH_TELLING ** 2) return undefined
  const growth = growthOf(offsets, Float64Array.from(fitted), rowVector(n).fill(1), true)
  if (growth === undefined) return undefined
  const about = { dimension: 1, signed: true, degreesOfFreedom: likelihood.degreesOfFreedom(data) }
  const laws = byEvidence(candidates(inScales(offsets, growth), about, shapes, growth), {
    shapes,
    growth: 'may',
  })
  // One slope is paid for by the law.
  const cost = asEvidence({ rows: n }, 1) * 0.5 * (cols - 1) * Math.log(n)
  if (!(laws[0].evidence - cost > evidence - REFUTED)) return undefined
  return { column: steepest(x, line.coefficients), interval: levelInterval(laws) }
}

/** The column along which a line rises or falls most, over its own spread. */
function steepest(x: Matrix, slopes: ArrayLike<number>): number {
  let [best, most] = [0, -1]
  for (let j = 0; j < x.cols; j++) {
    const rise = Math.abs(slopes[j]) * Math.sqrt(varianceOf(columnOf(x, j)))
    if (rise > most) [best, most] = [j, rise]
  }
  return best
}

function varianceOf(values: ArrayLike<number>): number {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < values.length; i++) sum += values[i] / values.length
  for (let i = 0; i < values.length; i++) squares += (values[i] - sum) ** 2 / values.length
  return squares
}
