import type { ByFeature, TableFit } from '@rlvi/estimator'

/** The one document of `rlvi fit --json`. */
export function toJson(fit: TableFit, seconds: number, odds = false): object {
  const { model, status, corruption, standardErrors, intervals, ml, explained } = fit
  const { target } = model
  return {
    model: model.fitted.model,
    method: model.method,
    ...(target === undefined ? {} : { target: target.name }),
    ...(target?.classes === undefined ? {} : { classes: target.classes }),
    features: fit.design.names,
    rows: model.rows,
    dropped: { missing: fit.dropped },
    params: {
      ...fit.params,
      ...(standardErrors === undefined ? {} : { standardErrors }),
      ...(intervals === undefined ? {} : { intervals }),
      ...(odds ? { ratios: ratios(fit) } : {}),
    },
    ...(ml === undefined ? {} : { ml }),
    ...(explained === undefined ? {} : { explained }),
    effectiveRows: fit.effectiveRows,
    corruption: {
      level: corruption.level ?? null,
      interval: corruption.interval ?? null,
      source: corruption.source,
      ...(fit.habits === undefined ? {} : { habits: fit.habits }),
    },
    ...(fit.errors === undefined ? {} : { errors: fit.errors }),
    ...(fit.badFrom === undefined ? {} : { badFrom: fit.badFrom }),
    cautions: fit.cautions,
    status: status.kind,
    ...(status.kind === 'degenerate' ? { reason: status.reason } : {}),
    ...(status.kind === 'converged' ? {} : { message: status.message }),
    iterations: fit.iterations,
    flagged: fit.flagged,
    seconds: Math.round(seconds * 1e4) / 1e4,
  }
}

/** e to the power of each coefficient: odds ratios of labels, rate ratios of counts. */
function ratios({ params }: TableFit): object {
  const { coefficients } = params as { readonly coefficients: ByFeature }
  return Object.fromEntries(Object.entries(coefficients).map(([name, value]) => [name, Math.exp(value)]))
}
