import {
  covariance,
  type Fit,
  linear,
  logistic,
  type Matrix,
  mean,
  type Params,
  pca,
  poisson,
  softmax,
} from 'rlvi'
import type { Fitted } from '../model/saved-model.js'
import { defaultErrors } from './error-laws.js'
import { type AnyLikelihood, defaultAssumed, type ModelName, methods } from './methods.js'
import type { Settings } from './options.js'
import type { Passes } from './progress.js'
import type { ResponseUnits } from './units.js'

/** Enough to keep separable classes finite, too little to move anything else; the intercept goes free. */
export const ridge = 0.01

export interface ModelFit {
  readonly fit: Fit<Params>
  readonly fitted: Fitted
}

/** Fits the model of that name; its numbers come back as plain ones. */
export function fitModel(
  name: ModelName,
  x: Matrix,
  response: Float64Array | undefined,
  labels: readonly string[] | undefined,
  settings: Settings,
  responseUnits?: ResponseUnits,
  passes?: Passes,
): ModelFit {
  const { intercept } = settings
  const watched = <D, P extends Params>(likelihood: AnyLikelihood<D, P>): AnyLikelihood<D, P> =>
    passes?.watched<D, P, AnyLikelihood<D, P>>(likelihood) ?? likelihood
  const run = <D, P extends Params>(likelihood: AnyLikelihood<D, P>, data: D): Fit<P> =>
    methods[settings.method].run(watched(likelihood), data, {
      assumed: settings.assumed ?? defaultAssumed,
      errors: settings.errors ?? defaultErrors,
      seed: settings.seed,
      ...(responseUnits === undefined ? {} : { responseUnits }),
    })
  const y = response ?? new Float64Array(0)
  switch (name) {
    case 'linear': {
      const fit = run(linear({ intercept }), { x, y })
      const { scale } = fit.params
      return { fit, fitted: { model: 'linear', params: { ...plain(fit.params), scale } } }
    }
    case 'logistic': {
      const fit = run(logistic({ intercept, ridge }), { x, y })
      return { fit, fitted: { model: 'logistic', params: plain(fit.params) } }
    }
    case 'poisson': {
      const fit = run(poisson({ intercept }), { x, y })
      return { fit, fitted: { model: 'poisson', params: plain(fit.params) } }
    }
    case 'softmax': {
      const classes = labels?.length ?? 0
      const fit = run(softmax({ classes, intercept, ridge }), { x, y })
      const intercepts = [...fit.params.intercepts]
      return {
        fit,
        fitted: { model: 'softmax', params: { intercepts, coefficients: rowsOf(fit.params.coefficients) } },
      }
    }
    case 'mean': {
      const fit = run(mean(), { x })
      const params = { mean: [...fit.params.mean], scale: Array<number>(x.cols).fill(fit.params.scale) }
      return { fit, fitted: { model: 'mean', params } }
    }
    case 'covariance': {
      const fit = run(covariance(), { x })
      const params = { mean: [...fit.params.mean], covariance: rowsOf(fit.params.covariance) }
      return { fit, fitted: { model: 'covariance', params } }
    }
    case 'pca': {
      const fit = run(pca({ components: settings.components }), { x })
      const { mean: centre, components, variances } = fit.params
      const params = { mean: [...centre], components: rowsOf(components), variances: [...variances] }
      return { fit, fitted: { model: 'pca', params } }
    }
  }
}

function plain(params: { intercept: number; coefficients: Float64Array }): {
  intercept: number
  coefficients: number[]
} {
  return { intercept: params.intercept, coefficients: [...params.coefficients] }
}

function rowsOf(m: Matrix): number[][] {
  return Array.from({ length: m.rows }, (_, i) => [...m.values.subarray(i * m.cols, (i + 1) * m.cols)])
}
