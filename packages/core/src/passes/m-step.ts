import type { LinearParams, Params, Supervised } from '../likelihoods/likelihood.js'
import type { LinearRegressionParams } from '../likelihoods/linear.js'
import { exactFit } from '../likelihoods/linear.js'
import { fewRows, withProblem } from '../likelihoods/shared.js'
import { matrix } from '../matrix.js'
import type { Aggregates, Moments, RowWeights } from './aggregates.js'
import type { PassModel } from './models.js'
import { newtonFit } from './newton.js'
import { sufficientRows } from './sufficient-rows.js'

/** The parameters that minimise the weighted loss, as `likelihood.fit` finds them. */
export async function fitByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  weights: RowWeights<P>,
  start?: P,
): Promise<P> {
  if (model.by === 'newton') return await newtonFit(model, rows, weights, start)
  if (model.name !== 'linear') return fitToMoments(model, await rows.moments({ weights }), rows.centre, start)
  const first = await leastSquares(model, rows, weights, start)
  if (!isRounded(first.params, first.moments)) return first.params
  return (await leastSquares(model, rows, weights, first.params)).params
}

/** Below so much of the mean square that a step began with, residuals lose digits: a second step repairs what rounding took from it. */
const FEW_DIGITS = 1e-6

function isRounded({ problem, ...params }: Params, { squares, weight }: Moments): boolean {
  const { scale } = params as LinearRegressionParams
  return problem?.reason !== 'collinear' && scale * scale < (FEW_DIGITS * squares.values.at(-1)!) / weight
}

async function leastSquares<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  weights: RowWeights<P>,
  from: P | undefined,
): Promise<{ readonly params: P; readonly moments: Moments }> {
  const moments = await rows.moments({ weights, ...(from === undefined ? {} : { params: from }) })
  return { params: stepFrom(model, moments, rows, from), moments }
}

/** The least-squares fit by the moments of residuals from other parameters. */
export function stepFrom<P extends Params>(
  model: PassModel<P>,
  moments: Moments,
  { rows, centre }: Pick<Aggregates<P>, 'rows' | 'centre'>,
  from: P | undefined,
): P {
  const step = fitToMoments(model, moments, centre) as unknown as LinearRegressionParams
  const before = from as unknown as LinearParams | undefined
  const { scale } = step
  const coefficients = step.coefficients.map((value, j) => value + (before?.coefficients[j] ?? 0))
  const theta = { intercept: step.intercept + (before?.intercept ?? 0), coefficients, scale }
  const own = step.problem?.reason === 'exact-fit' ? undefined : step.problem
  const size = Math.sqrt(moments.responses / moments.weight)
  const few = fewRows(rows, coefficients.length + (model.intercept ? 1 : 0))
  return withProblem(theta, few ?? own ?? exactFit(scale, size)) as unknown as P
}

/** A model of a mean and a scatter sees no more of the rows than these. */
export function fitToMoments<P extends Params>(
  model: PassModel<P>,
  moments: Moments,
  centre: Float64Array,
  start?: P,
): P {
  const { rows, weights } = sufficientRows(moments, centre)
  return model.likelihood.fit(
    model.name === 'linear' ? lastAsResponse(rows) : { x: rows, y: NONE },
    weights,
    start,
  )
}

const NONE = new Float64Array(0)

function lastAsResponse({ rows, cols, values }: Supervised['x']): Supervised {
  const x = matrix(rows, cols - 1)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    x.values.set(values.subarray(i * cols, (i + 1) * cols - 1), i * (cols - 1))
    y[i] = values[(i + 1) * cols - 1]
  }
  return { x, y }
}
