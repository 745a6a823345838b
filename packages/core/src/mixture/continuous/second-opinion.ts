import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import type { Params, Supervised } from '../../likelihoods/likelihood.js'
import { matrix } from '../../matrix.js'
import type { Caution, Corruption } from '../../result.js'
import type { Curve } from '../laws/curvature.js'
import { isPlain, type Laws } from '../laws/good-rows.js'
import { type Runs, runsOf } from '../laws/runs.js'
import { scatterByColumns, type UnevenScatter } from '../laws/scatter-by-columns.js'
import { type SecondLine, secondLine } from '../laws/second-line.js'
import { isSupervised } from './columns.js'
import { farSlope } from './far-slope.js'
import type { Judged } from './judge-rows.js'
import { without } from './leverage.js'
import { gainByLogarithm, worthALogarithm } from './logarithm.js'

/** By so much must the logarithm of the response be explained better. */
const CLEARLY = 3
/** Growth of the log scale, per standard deviation of the predictions, from which on it is told. */
const FAST = 0.2
/** So many curves are tried together. */
const MOST_CURVES = 3

/** What another view of the same rows makes of them. */
export interface SecondOpinion {
  readonly cautions: readonly Caution[]
  readonly corruption: Corruption
}

/**
 * Where the good rows' residuals bend, or the logarithm of the response is explained better, the model is in doubt: what it
 * calls bad may be good. The interval then also holds what the other model says.
 */
export function secondOpinion<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
  again: (data: D) => Judged<P>,
  y: Float64Array | undefined,
  laws: Laws,
): SecondOpinion {
  const cautions: Caution[] = []
  let { corruption } = judged.fit
  if (!isRegression(likelihood) || !isSupervised(data) || y === undefined) return { cautions, corruption }
  const [first] = judged.curves
  if (first !== undefined) {
    cautions.push(ofCurve(first))
    const other = again(withCurves(data, judged))
    corruption = united(corruption, other.fit.corruption)
  } else {
    const runs = runsIn(likelihood, data, judged)
    if (runs !== undefined) {
      const where = runs.column === undefined ? 'the prediction' : `column ${runs.column}`
      const message = `rows next to each other in ${where} lie off to the same side: a curve, a step or a season in it may explain them, and rows that it explains are not bad`
      cautions.push({
        about: 'curvature',
        message,
        ...(runs.column === undefined ? {} : { column: runs.column }),
      })
      // What a curve of any form would leave of them nobody knows.
      if (corruption.interval !== undefined)
        corruption = { ...corruption, interval: [0, corruption.interval[1]] }
    }
  }
  const slope = farSlope(likelihood, data, judged)
  if (slope !== undefined) {
    cautions.push(...slope.cautions)
    corruption = united(corruption, slope.corruption)
  }
  const uneven = unevenIn(likelihood, data, judged, laws)
  if (uneven !== undefined) {
    const message = `rows scatter more in some places of column ${uneven.column} than in others: some may be called bad for that alone, and others good; the interval also holds the share that is left where scatter may differ along the columns`
    cautions.push({ about: 'law', message, column: uneven.column })
    corruption = united(corruption, { ...corruption, interval: uneven.interval })
  }
  if (cautions.length === 0) {
    const other = secondLineIn(likelihood, data, judged, laws)
    if (other !== undefined) {
      const message = `about ${Math.round(100 * other.share)} % of the rows may follow another line, which rises otherwise along column ${other.column}, such as rows of another kind: where the two cross they count as good, and the interval holds that all of them are bad`
      cautions.push({ about: 'cluster', message, column: other.column })
      corruption = united(corruption, { ...corruption, interval: other.interval })
    }
  }
  if (worthALogarithm(likelihood, data, judged, y)) {
    const log = again({ ...data, y: y.map(Math.log) })
    // A view that leaves as many rows bad has not explained them.
    const explained = (log.fit.corruption.level ?? 1) <= 0.5 * (judged.fit.corruption.level ?? 1)
    if (explained && gainByLogarithm(likelihood, data, judged, log, y) > CLEARLY) {
      const message =
        'the logarithm of the response is explained better than the response itself: try that as the target'
      cautions.push({ about: 'law', message })
      corruption = united(corruption, log.fit.corruption)
    } else if (judged.law?.growth !== undefined && judged.law.growth.rate > FAST) {
      const message =
        'the scatter of good rows grows with the prediction and all responses are positive: errors may be multiplicative; the logarithm of the response as the target may serve better'
      cautions.push({ about: 'law', message })
    }
  }
  return { cautions, corruption }
}

function ofCurve({ columns }: Curve): Caution {
  const about = 'curvature'
  const [column] = columns
  if (columns.length === 2) {
    const message = `the residuals of good rows bend against columns ${columns.join(', ')} together; their product as a further column would fit better, and rows that it explains are not bad`
    return { about, message, columns }
  }
  const where = column === undefined ? 'the prediction' : `column ${column}`
  const message = `the residuals of good rows bend against ${where}; a curve (its square as a further column, or a logarithm) would fit better, and rows that it explains are not bad`
  return { about, message, ...(column === undefined ? {} : { column }) }
}

/** Runs of residuals along a feature or the prediction, where the fit knows its residuals. */
function runsIn<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  { params, fit, leverage }: Judged<P>,
): Runs | undefined {
  return params === undefined ? undefined : runsOf(likelihood, data, params, fit.clean, leverage)
}

/** Scatter that differs along the features, where some rows are said to be bad, or errors not to be normal, and it does not follow the prediction. */
function unevenIn<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  { params, law, fit, leverage }: Judged<P>,
  laws: Laws,
): UnevenScatter | undefined {
  if (params === undefined || law === undefined || law.growth !== undefined) return undefined
  if (fit.corruption.level === 0 && isPlain(law)) return undefined
  return scatterByColumns(
    likelihood,
    without(likelihood, data, leverage ?? new Map()),
    params,
    law.evidence,
    laws,
  )
}

/** Rows that follow another line, where the fit knows its law. */
function secondLineIn<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  { params, law, leverage }: Judged<P>,
  laws: Laws,
): SecondLine | undefined {
  if (params === undefined || law === undefined) return undefined
  return secondLine(likelihood, without(likelihood, data, leverage ?? new Map()), params, law, laws)
}

function withCurves<D extends Supervised>(data: D, { curves }: Judged<Params>): D {
  const { rows, cols, values } = data.x
  const used = curves.slice(0, MOST_CURVES)
  const wide = cols + used.length
  const x = matrix(rows, wide)
  for (let i = 0; i < rows; i++) {
    x.values.set(values.subarray(i * cols, (i + 1) * cols), i * wide)
    for (const [k, curve] of used.entries()) x.values[i * wide + cols + k] = curve.values[i]
  }
  return { ...data, x }
}

/** The first level, with an interval that holds both. */
export function united(corruption: Corruption, other: Corruption): Corruption {
  if (corruption.interval === undefined || other.interval === undefined) return corruption
  const [low, high] = corruption.interval
  return { ...corruption, interval: [Math.min(low, other.interval[0]), Math.max(high, other.interval[1])] }
}
