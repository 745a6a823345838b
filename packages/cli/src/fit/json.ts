import type { Fitted } from '../model-file.js'
import type { Outcome } from './outcome.js'
import { statusMessage } from './problems.js'
import type { StandardErrors } from './standard-errors.js'

/** The one document of `rlvi fit --json`. */
export function fitJson(done: Outcome): object {
  const { prepared, fit, options } = done
  const { target } = prepared
  const { status, corruption } = fit
  const features = prepared.columns.map((column) => column.name)
  return {
    model: prepared.model,
    method: options.method,
    ...(target === undefined ? {} : { target: target.name }),
    ...(target?.classes === undefined ? {} : { classes: target.classes }),
    features,
    rows: prepared.x.rows,
    dropped: { missing: prepared.dropped },
    params: namedParams(done.fitted, done.standardErrors, features, target?.classes ?? []),
    corruption: {
      level: corruption.level ?? null,
      interval: corruption.interval ?? null,
      source: corruption.source,
    },
    status: status.kind,
    ...(status.kind === 'degenerate' ? { reason: status.reason } : {}),
    ...(status.kind === 'converged' ? {} : { message: statusMessage(status) }),
    iterations: fit.iterations,
    flagged: done.flagged,
    seconds: Math.round(done.seconds * 1e4) / 1e4,
  }
}

type Named = Record<string, unknown>

/** Coefficients by feature (softmax: by class, then feature); arrays stay in the order of `features`. */
function namedParams(
  fitted: Fitted,
  errors: StandardErrors | undefined,
  features: readonly string[],
  classes: readonly string[],
): object {
  const byFeature = (values: readonly unknown[]): Named => named(features, values)
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const coefficients = byFeature(fitted.params.coefficients)
      if (errors === undefined) return { ...fitted.params, coefficients }
      const { intercepts } = errors
      const standardErrors = {
        ...(intercepts === undefined ? {} : { intercept: intercepts[0] }),
        coefficients: byFeature(errors.coefficients[0]!),
      }
      return { ...fitted.params, coefficients, standardErrors }
    }
    case 'softmax': {
      const both = (
        intercepts: readonly number[] | undefined,
        each: readonly (readonly number[])[],
      ): Named => ({
        ...(intercepts === undefined ? {} : { intercepts: named(classes, intercepts) }),
        coefficients: named(classes, each.map(byFeature)),
      })
      const params = both(fitted.params.intercepts, fitted.params.coefficients)
      if (errors === undefined) return params
      return { ...params, standardErrors: both(errors.intercepts, errors.coefficients) }
    }
    case 'mean': {
      const { mean, scale } = fitted.params
      const params = { mean, scale: scale.length > 1 ? byFeature(scale) : scale[0] }
      return errors === undefined ? params : { ...params, standardErrors: { mean: errors.coefficients[0] } }
    }
    default:
      return fitted.params
  }
}

function named(names: readonly string[], values: readonly unknown[]): Named {
  return Object.fromEntries(names.map((name, j) => [name, values[j]]))
}
