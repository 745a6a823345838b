import {
  type Continuous,
  type Differentiable,
  type Discrete,
  type Fit,
  fit,
  huber,
  type Likelihood,
  type LinearRegressionParams,
  ml,
  type Params,
  type Predictor,
  paper,
  rrm,
  type Supervised,
  sever,
} from 'rlvi'
import { OptionError, type Words } from '../words.js'
import type { ErrorLawChoice } from './error-laws.js'
import type { ResponseUnits } from './units.js'

/** The models that a table can be fitted by. */
export const modelNames = ['linear', 'logistic', 'softmax', 'poisson', 'mean', 'covariance', 'pca'] as const
/** One of them. */
export type ModelName = (typeof modelNames)[number]

/** Those that explain a target. */
export const supervisedModels: readonly ModelName[] = ['linear', 'logistic', 'softmax', 'poisson']

/** How the parameters are found. */
export const methodNames = ['calibrated', 'paper', 'ml', 'huber', 'sever', 'rrm'] as const
/** One of them. */
export type MethodName = (typeof methodNames)[number]
/** The recommended one, which infers the share of bad rows. */
export const defaultMethod: MethodName = 'calibrated'

/** The share of bad rows that methods assume which cannot infer it. */
export const defaultAssumed = 0.3

interface Method {
  readonly models: readonly ModelName[]
  /** For which models an assumed level means something; elsewhere it is refused. */
  readonly assumes: readonly ModelName[]
  /** Why an assumed level is accepted but not used. */
  readonly ignores?: string
  run<D, P extends Params>(likelihood: AnyLikelihood<D, P>, data: D, settings: MethodSettings): Fit<P>
}

/** A likelihood that every method can use. */
export type AnyLikelihood<D, P extends Params> = (Continuous<D, P> | Discrete<D, P>) & Differentiable<D, P>

export interface MethodSettings {
  readonly assumed: number
  readonly errors: ErrorLawChoice
  readonly seed: number
  /** What a standardised response was. */
  readonly responseUnits?: ResponseUnits
}

export const methods: Readonly<Record<MethodName, Method>> = {
  calibrated: {
    models: modelNames,
    assumes: [],
    run: (likelihood, data, { errors, seed, responseUnits }) =>
      fit(likelihood, data, { errors, seed, ...(responseUnits === undefined ? {} : { responseUnits }) }),
  },
  paper: {
    models: modelNames,
    assumes: ['covariance'],
    run(likelihood, data, { assumed }) {
      // The likelihood of a covariance has no maximum (it may shrink onto a few rows): Appendix D's constraint.
      const goodRows = likelihood.rows(data) * (1 - assumed)
      return paper(likelihood, data, likelihood.name === 'covariance' ? { goodRows } : {})
    },
  },
  ml: { models: modelNames, assumes: [], run: (likelihood, data) => ml(likelihood, data) },
  huber: {
    models: ['linear'],
    assumes: ['linear'],
    ignores: "Huber's rule has no share of bad rows",
    run<D, P extends Params>(likelihood: Likelihood<D, P>, data: D) {
      // Sound because `models` lets only the linear model in.
      const predictor = likelihood as unknown as Predictor<LinearRegressionParams>
      return huber(predictor, data as unknown as Supervised) as unknown as Fit<P>
    },
  },
  sever: {
    models: modelNames,
    assumes: modelNames,
    run: (likelihood, data, { assumed }) => sever(likelihood, data, { assumed }),
  },
  rrm: {
    models: modelNames,
    assumes: modelNames,
    run: (likelihood, data, { assumed }) => rrm(likelihood, data, { assumed }),
  },
}

/** Refuses what can be refused before any data are seen. `model` is undefined while it is still to be chosen. */
export function checkMethod(
  name: MethodName,
  model: ModelName | undefined,
  assumed: number | undefined,
  words: Words,
): void {
  const method = methods[name]
  if (model !== undefined && !method.models.includes(model)) {
    const rule = `is for ${words.option('model', method.models.join(', '))} only`
    throw new OptionError(words.option('method', name), rule, model)
  }
  const meant = model === undefined ? method.assumes.length > 0 : method.assumes.includes(model)
  if (assumed === undefined || meant) return
  throw new OptionError(words.option('assumed'), uselessness(name, words), assumed, 'leave it out')
}

function uselessness(name: MethodName, words: Words): string {
  const method = words.option('method', name)
  if (name === 'calibrated') return `${method} infers it`
  if (name === 'paper') return `under ${method} only ${words.option('model', 'covariance')} has a use for it`
  return `${method} has no use for it`
}
