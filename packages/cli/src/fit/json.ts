import type { Fitted } from '../model-file.js'
import type { Outcome } from './outcome.js'

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
    params: namedParams(done.fitted, features, target?.classes ?? []),
    corruption: {
      level: corruption.level ?? null,
      interval: corruption.interval ?? null,
      source: corruption.source,
    },
    status: status.kind,
    ...(status.kind === 'degenerate' ? { reason: status.reason } : {}),
    ...(status.kind === 'converged' ? {} : { message: status.message }),
    iterations: fit.iterations,
    flagged: done.flagged,
    seconds: Math.round(done.seconds * 1e4) / 1e4,
  }
}

/** Coefficients by feature (softmax: by class, then feature); arrays stay in the order of `features`. */
function namedParams(fitted: Fitted, features: readonly string[], classes: readonly string[]): object {
  const named = (names: readonly string[], values: readonly unknown[]): object =>
    Object.fromEntries(names.map((name, j) => [name, values[j]]))
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson':
      return { ...fitted.params, coefficients: named(features, fitted.params.coefficients) }
    case 'softmax': {
      const { intercepts, coefficients } = fitted.params
      const each = coefficients.map((row) => named(features, row))
      return { intercepts: named(classes, intercepts), coefficients: named(classes, each) }
    }
    default:
      return fitted.params
  }
}
