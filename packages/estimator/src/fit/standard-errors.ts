import type { Fit, Matrix, Params } from 'rlvi'
import type { ModelName } from './methods.js'
import type { ResponseUnits, Units } from './units.js'

/** Standard errors in the user's units, in the shape of the parameters that they belong to. */
export interface StandardErrors {
  /** Of the intercept, or of each class's intercept. Absent where there is none, or none can be given. */
  readonly intercepts: readonly number[] | undefined
  /** A list for each class; one list where there is no class. For the model `mean`, of the mean. */
  readonly coefficients: readonly (readonly number[])[]
}

/** What the fit says of `vector(params)`: the intercepts, if any, then the coefficients class by class. */
export function standardErrors(
  fit: Pick<Fit<Params>, 'covariance'>,
  model: ModelName,
  intercept: boolean,
  x: Units,
  y: ResponseUnits,
): StandardErrors | undefined {
  const { covariance } = fit
  if (covariance === undefined) return undefined
  const errors = Array.from({ length: covariance.cols }, (_, j) =>
    Math.sqrt(covariance.values[j * covariance.cols + j]!),
  )
  if (!errors.every(Number.isFinite)) return undefined
  const d = x.scale.length
  if (model === 'mean') {
    return { intercepts: undefined, coefficients: [Array.from(errors, (e, j) => e * x.scale[j]!)] }
  }
  const classes = Math.round(errors.length / (intercept ? d + 1 : d))
  const first = intercept ? classes : 0
  const each = Array.from({ length: classes }, (_, k) => k)
  const coefficients = each.map((k) =>
    Array.from(x.scale, (scale, j) => (errors[first + k * d + j]! * y.scale) / scale),
  )
  if (!intercept) return { intercepts: undefined, coefficients }
  const intercepts = each.map((k) => y.scale * Math.sqrt(shiftedVariance(covariance, k, first + k * d, x)))
  return { intercepts, coefficients }
}

/** The variance of b - sum_j t_j centre_j / scale_j: the intercept where features count from the user's zero. */
function shiftedVariance(
  covariance: Matrix,
  intercept: number,
  first: number,
  { centre, scale }: Units,
): number {
  const places = [intercept, ...Array.from(scale, (_, j) => first + j)]
  const factors = [1, ...Array.from(scale, (s, j) => -centre[j]! / s)]
  let sum = 0
  for (let a = 0; a < places.length; a++) {
    for (let b = 0; b < places.length; b++) {
      sum += factors[a]! * factors[b]! * covariance.values[places[a]! * covariance.cols + places[b]!]!
    }
  }
  return sum
}

/** Beyond this a model file would hold little else. */
export const mostParameters = 500

/**
 * The covariance of intercept and coefficients in the user's units, by its lower triangle; what intervals of predictions are
 * made of. The intercept comes first, where there is one; under softmax class by class.
 */
export function userCovariance(
  { covariance }: Pick<Fit<Params>, 'covariance'>,
  classes: number,
  intercept: boolean,
  { centre, scale }: Units,
  y: ResponseUnits,
): number[][] | undefined {
  const d = scale.length
  const first = intercept ? classes : 0
  const size = first + classes * d
  if (covariance === undefined || covariance.cols !== size || size > mostParameters) return undefined
  const { values } = covariance
  /** A parameter in the user's units as a sum of the fit's own, by their places. */
  type Sum = readonly { readonly place: number; readonly factor: number }[]
  const sums = Array.from({ length: classes }, (_, k): Sum[] => {
    const coefficients = Array.from(scale, (s, j) => ({ place: first + k * d + j, factor: y.scale / s }))
    const shift = coefficients.map(({ place, factor }, j) => ({ place, factor: -factor * centre[j]! }))
    const own = coefficients.map((one) => [one])
    return intercept ? [[{ place: k, factor: y.scale }, ...shift], ...own] : own
  }).flat()
  const out = sums.map((left, a) =>
    sums.slice(0, a + 1).map((right) => {
      let sum = 0
      for (const l of left)
        for (const r of right) sum += l.factor * r.factor * values[l.place * size + r.place]!
      return sum
    }),
  )
  return out.flat().every(Number.isFinite) ? out : undefined
}
