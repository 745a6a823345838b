import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params, Unsupervised } from '../../likelihoods/likelihood.js'
import { columnOf } from '../../matrix.js'
import type { Corruption } from '../../result.js'
import { MAX_LEVEL } from '../laws/masses.js'
import { offsetsOf } from '../laws/row-offsets.js'
import { thinned, thinnedRows } from '../shared/thinned.js'
import { hasColumns } from './columns.js'
import { isLinear } from './far-slope.js'
import { frequentMedian } from './frequent-median.js'
import type { Judged } from './judge-rows.js'
import type { SecondOpinion } from './second-opinion.js'
import { mostFrequent } from './ties.js'

/** A value that comes so often more than any other, in so many rows and in such a share of them, stands out. */
const OFTENER = 5
const FEWEST = 5
const LEAST_SHARE = 0.02
/** What half of the rows have is what the column is. */
const MOST_SHARE = 0.5
/** Of fewer values some are frequent by themselves. */
const MANY_VALUES = 20
/** So many of the others lie on either side: at an end lie the zeros of amounts, limits and codes. */
const EITHER_SIDE = 0.1
/** The mean of all others to so many of their standard deviations is no coincidence. */
const THE_MEAN = 1e-5
/** Values are looked for among so many rows, where so many have not shown that there can be none. */
const ENOUGH = 10_000
const FIRST = 1000
/** So many log units must speak for values that were measured. */
const CLEARLY = 3
/** Residuals count up to so many scales: bad rows among them must not decide. */
const FAR = 3

/** One value of a column in far more rows than any other. */
export interface FilledIn {
  readonly column: number
  readonly value: number
  readonly rows: readonly number[]
}

/**
 * Features in which one value comes again and again where the others hardly do, amid them: missing values were filled in, by a mean or a default. Such rows are wrong
 * and hardly show, since a mean has no leverage; the interval leaves open that all of them are bad. Not where their residuals
 * scatter like those of all others, though the column explains much: then it was measured there, too.
 */
export function allowForFilledIn<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
  corruption: Corruption,
): SecondOpinion {
  const found = filledColumns(likelihood, data).filter(
    (filled) => !isMeasured(likelihood, data, judged, filled),
  )
  if (found.length === 0) return { cautions: [], corruption }
  const { clean } = judged.fit
  const trusted = new Set(found.flatMap(({ rows }) => rows.filter((i) => clean[i] > 0.5)))
  const cautions = found.map(({ column, value, rows }) => ({
    about: 'ties' as const,
    message: `${rows.length} of ${clean.length} rows have the same value in column ${column}, far more than have any other or exactly the mean of the column, as where missing values were filled in: such rows count as good where the model explains them, and the interval leaves open that all are bad; fit again without them`,
    column,
    values: [value],
  }))
  const { interval } = corruption
  if (interval === undefined) return { cautions, corruption }
  const high = Math.min(interval[1] + trusted.size / clean.length, MAX_LEVEL)
  return { cautions, corruption: { ...corruption, interval: [interval[0], Math.max(interval[1], high)] } }
}

function filledColumns<D, P extends Params>(likelihood: Continuous<D, P>, data: D): FilledIn[] {
  if (!isRegression(likelihood) && !hasColumns(data)) return []
  const x = isRegression(likelihood) ? likelihood.features(data) : (data as D & Unsupervised).x
  return Array.from({ length: x.cols }, (_, j) => j).flatMap((column) => {
    if (!mayRepeat(x.rows, (i) => x.values[i * x.cols + column])) return []
    const values = columnOf(x, column)
    const value = filledValue(values)
    if (value === undefined) return []
    return { column, value, rows: Array.from(values.keys()).filter((i) => values[i] === value) }
  })
}

/** The value that missing ones seem to have been filled in by. */
export function filledValue(values: Float64Array): number | undefined {
  const n = values.length
  if (!mayRepeat(n, (i) => values[i])) return undefined
  const [most, often, different, next] = mostFrequent(thinned(values, ENOUGH))
  if (different < MANY_VALUES) return undefined
  const value = often >= OFTENER * next ? most : (nearestToMean(values) ?? frequentMedian(values))
  if (value === undefined) return undefined
  let [below, same] = [0, 0]
  for (const other of values)
    if (other < value) below++
    else if (other === value) same++
  const above = n - below - same
  if (same < Math.max(FEWEST, LEAST_SHARE * n) || same > MOST_SHARE * n) return undefined
  return Math.min(below, above) >= EITHER_SIDE * (n - same) ? value : undefined
}

/** Whether any value comes often among some rows, before all are looked at. */
function mayRepeat(rows: number, value: (row: number) => number): boolean {
  return rows <= 2 * FIRST || mostFrequent(Float64Array.from(thinnedRows(rows, FIRST), value))[1] >= FEWEST
}

/**
 * The value that is the mean of all, and so of the others: among whole numbers it need not be the most frequent one. None where values
 * lie the same way on both sides, as in a design that was planned: there the middle is the mean.
 */
function nearestToMean(values: Float64Array): number | undefined {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value / n, 0)
  let [nearest, square, cube] = [values[0], 0, 0]
  for (const value of values) {
    if (Math.abs(value - mean) < Math.abs(nearest - mean)) nearest = value
    square += (value - mean) ** 2 / n
    cube += (value - mean) ** 3 / n
  }
  const scale = Math.sqrt(square)
  const isMean = Math.abs(nearest - mean) <= THE_MEAN * scale
  return isMean && Math.abs(cube) > THE_MEAN * scale ** 3 ? nearest : undefined
}

/**
 * Whether residuals speak for a column that was measured in these rows, too: whether they are like those of all others, and unlike what these would be with
 * that value in place of their own.
 */
function isMeasured<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  { params, fit }: Judged<P>,
  { column, value, rows }: FilledIn,
): boolean {
  if (!isRegression(likelihood) || params === undefined || !isLinear(fit.params)) return false
  const slope = fit.params.coefficients[column] / Math.exp(likelihood.logScale(data, params))
  const offsets = offsetsOf(likelihood, data, params)
  const values = columnOf(likelihood.features(data), column)
  const others = Array.from(values.keys()).filter((i) => values[i] !== value)
  const own = meanSquare(rows.map((i) => offsets[i])).mean
  const speaksFor = (like: MeanSquare): number =>
    (-0.5 * rows.length * (own - like.mean) ** 2) / like.variance - 0.5 * Math.log(like.variance)
  const measured = speaksFor(meanSquare(others.map((i) => offsets[i])))
  return (
    measured - speaksFor(meanSquare(others.map((i) => offsets[i] + slope * (values[i] - value)))) > CLEARLY
  )
}

interface MeanSquare {
  readonly mean: number
  readonly variance: number
}

/** Of offsets, each up to a limit. */
function meanSquare(offsets: readonly number[]): MeanSquare {
  const squares = offsets.map((offset) => Math.min(offset * offset, FAR * FAR))
  const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length
  return { mean, variance: squares.reduce((sum, square) => sum + (square - mean) ** 2, 0) / squares.length }
}
