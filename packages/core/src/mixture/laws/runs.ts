import type { Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { thinnedRows } from '../shared/thinned.js'
import { valuesOf } from './curvature.js'

/** So many rows show what is worth telling. */
const ENOUGH = 1000
/** With more features than this, the prediction alone is looked at. */
const MANY = 50
/** Rank correlation of neighbours that is worth telling, and by how many standard errors it must differ from none. */
const WORTH_TELLING = 0.25
const CLEARLY = 5
/** Bad rows farther from the others' range than half of it are leverage points, not the next part of a curve. */
const APART = 0.5
/** Of fewer rows neighbours are no neighbours. */
const FEWEST = 30

/** A feature along which residuals come in runs, or the prediction. */
export interface Runs {
  readonly column?: number
}

/**
 * Where rows that are next to each other in a feature, or in the prediction, lie off to the same side: a season, a step or a
 * curve that bends both ways, of which a square sees nothing. By ranks of residuals, bad rows' among them, since the part of a
 * curve that a line misses is what looks bad, but for bad leverage points (a test for trend of Wald and Wolfowitz 1943, in rank form).
 */
export function runsOf<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  clean: Float64Array,
  leftOut?: { has(row: number): boolean },
): Runs | undefined {
  const all = thinnedRows(clean.length, ENOUGH).filter((i) => !leftOut?.has(i))
  const rows = likelihood.take(data, all)
  const residuals = new Float64Array(all.length)
  likelihood.residuals(rows, params, residuals)
  const good = Float64Array.from(all, (i) => clean[i])
  const { cols } = likelihood.features(rows)
  const columns = cols === 1 ? [0] : [undefined, ...(cols <= MANY ? Array(cols).keys() : [])]
  let found: { readonly column: number | undefined; readonly correlation: number } | undefined
  for (const column of columns) {
    const correlation = neighbours(valuesOf(likelihood, rows, params, column), residuals, good)
    if (correlation > (found?.correlation ?? WORTH_TELLING)) found = { column, correlation }
  }
  return found && (found.column === undefined ? {} : { column: found.column })
}

/** The rank correlation of neighbours' residuals, as far as it differs clearly from none; else 0. */
function neighbours(at: Float64Array, residuals: Float64Array, good: Float64Array): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < at.length; i++) {
    if (good[i] < 0.5) continue
    low = Math.min(low, at[i])
    high = Math.max(high, at[i])
  }
  const far = APART * (high - low)
  const rows = Array.from(at.keys()).filter((i) => at[i] >= low - far && at[i] <= high + far)
  const n = rows.length
  if (n < FEWEST) return 0
  const rank = new Float64Array(at.length)
  rows.sort((i, j) => residuals[i] - residuals[j])
  for (let k = 0; k < n; k++) rank[rows[k]] = k - (n - 1) / 2
  // Equal values have no neighbours among each other: any order will do that has nothing to do with the residuals.
  rows.sort((i, j) => at[i] - at[j] || scrambled(i) - scrambled(j))
  let sum = 0
  for (let k = 1; k < n; k++) sum += rank[rows[k - 1]] * rank[rows[k]]
  const correlation = sum / ((n * (n * n - 1)) / 12)
  return correlation * Math.sqrt(n) > CLEARLY ? correlation : 0
}

function scrambled(i: number): number {
  return Math.imul(i + 1, 0x9e3779b1) >>> 0
}
