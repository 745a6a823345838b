import type { Fitted } from '../model/saved-model.js'
import type { StandardErrors } from './standard-errors.js'

/** Numbers by the name of the feature, `column` or `column=category`. */
export type ByFeature = Readonly<Record<string, number>>

type Numbers = readonly number[]

/** Parameters by name, in the units of the table. Lists are in the order of the features. */
export type NamedParams =
  /** `linear` (with a scale), `logistic` and `poisson`. */
  | { readonly intercept: number; readonly coefficients: ByFeature; readonly scale?: number }
  /** `softmax`: by class, then by feature. */
  | { readonly intercepts: ByFeature; readonly coefficients: Readonly<Record<string, ByFeature>> }
  /** `mean`: the scale by feature, where there is more than one. */
  | { readonly mean: Numbers; readonly scale: number | ByFeature }
  | { readonly mean: Numbers; readonly covariance: readonly Numbers[] }
  /** `pca` */
  | { readonly mean: Numbers; readonly components: readonly Numbers[]; readonly variances: Numbers }

/** Standard errors of the parameters of the same names; no intercept has one where the model has none. */
export type NamedErrors =
  | { readonly intercept?: number; readonly coefficients: ByFeature }
  | { readonly intercepts?: ByFeature; readonly coefficients: Readonly<Record<string, ByFeature>> }
  | { readonly mean: Numbers }

export function namedParams(
  fitted: Fitted,
  features: readonly string[],
  classes: readonly string[],
): NamedParams {
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson':
      return { ...fitted.params, coefficients: named(features, fitted.params.coefficients) }
    case 'softmax': {
      const { intercepts, coefficients } = fitted.params
      return {
        intercepts: named(classes, intercepts),
        coefficients: byClass(classes, features, coefficients),
      }
    }
    case 'mean': {
      const { mean, scale } = fitted.params
      return { mean, scale: scale.length > 1 ? named(features, scale) : scale[0]! }
    }
    default:
      return fitted.params
  }
}

export function namedErrors(
  model: Fitted['model'],
  errors: StandardErrors | undefined,
  features: readonly string[],
  classes: readonly string[],
): NamedErrors | undefined {
  if (errors === undefined) return undefined
  const { intercepts, coefficients } = errors
  if (model === 'mean') return { mean: coefficients[0]! }
  if (model === 'softmax') {
    return {
      ...(intercepts === undefined ? {} : { intercepts: named(classes, intercepts) }),
      coefficients: byClass(classes, features, coefficients),
    }
  }
  return {
    ...(intercepts === undefined ? {} : { intercept: intercepts[0]! }),
    coefficients: named(features, coefficients[0]!),
  }
}

function byClass(
  classes: readonly string[],
  features: readonly string[],
  rows: readonly Numbers[],
): Record<string, ByFeature> {
  return named(
    classes,
    rows.map((row) => named(features, row)),
  )
}

function named<T>(names: readonly string[], values: readonly T[]): Record<string, T> {
  return Object.fromEntries(names.map((name, j) => [name, values[j]!]))
}
