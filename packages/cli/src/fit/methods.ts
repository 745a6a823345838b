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
import { UsageError } from '../terminal/usage.js'

export const modelNames = ['linear', 'logistic', 'softmax', 'poisson', 'mean', 'covariance', 'pca'] as const
export type ModelName = (typeof modelNames)[number]

export const supervisedModels: readonly ModelName[] = ['linear', 'logistic', 'softmax', 'poisson']

export interface Method {
  readonly models: readonly ModelName[]
  /** For which models `--epsilon` means something; elsewhere it is refused. */
  readonly epsilonFor: readonly ModelName[]
  /** What there is to say about `--epsilon` where it is accepted but not used. */
  readonly epsilonRemark?: string
  run<D, P extends Params>(likelihood: AnyLikelihood<D, P>, data: D, settings: MethodSettings): Fit<P>
}

/** A likelihood that every method can use. */
export type AnyLikelihood<D, P extends Params> = (Continuous<D, P> | Discrete<D, P>) & Differentiable<D, P>

export interface MethodSettings {
  readonly epsilon: number
  readonly seed: number
}

export const defaultEpsilon = 0.3

export const methodNames = ['calibrated', 'paper', 'ml', 'huber', 'sever', 'rrm'] as const
export type MethodName = (typeof methodNames)[number]
export const defaultMethod: MethodName = 'calibrated'

export const methods: Readonly<Record<MethodName, Method>> = {
  calibrated: {
    models: modelNames,
    epsilonFor: [],
    run: (likelihood, data, { seed }) => fit(likelihood, data, { seed }),
  },
  paper: {
    models: modelNames,
    epsilonFor: ['covariance'],
    run(likelihood, data, { epsilon }) {
      // The likelihood of a covariance has no maximum (it may shrink onto a few rows): Appendix D's constraint.
      const goodRows = likelihood.rows(data) * (1 - epsilon)
      return paper(likelihood, data, likelihood.name === 'covariance' ? { goodRows } : {})
    },
  },
  ml: { models: modelNames, epsilonFor: [], run: (likelihood, data) => ml(likelihood, data) },
  huber: {
    models: ['linear'],
    epsilonFor: ['linear'],
    epsilonRemark: "Huber's rule has no share of bad rows: --epsilon changes nothing",
    run<D, P extends Params>(likelihood: Likelihood<D, P>, data: D) {
      // Sound because `models` lets only the linear model in.
      const predictor = likelihood as unknown as Predictor<LinearRegressionParams>
      return huber(predictor, data as unknown as Supervised) as unknown as Fit<P>
    },
  },
  sever: {
    models: modelNames,
    epsilonFor: modelNames,
    run: (likelihood, data, { epsilon }) => sever(likelihood, data, { assumed: epsilon }),
  },
  rrm: {
    models: modelNames,
    epsilonFor: modelNames,
    run: (likelihood, data, { epsilon }) => rrm(likelihood, data, { assumed: epsilon }),
  },
}

/** Refuses what can be refused before any file is read. `model` is undefined while it is still to be chosen. */
export function checkMethod(
  name: MethodName,
  model: ModelName | undefined,
  epsilon: number | undefined,
): void {
  const method = methods[name]
  if (model !== undefined && !method.models.includes(model)) {
    throw new UsageError(`--method ${name}`, `is for --model ${method.models.join(', ')} only`, model)
  }
  const meant = model === undefined ? method.epsilonFor.length > 0 : method.epsilonFor.includes(model)
  if (epsilon !== undefined && !meant) {
    throw new UsageError(
      '--epsilon',
      noUse[name] ?? `--method ${name} has no use for it`,
      epsilon,
      'leave it out',
    )
  }
}

const noUse: Partial<Record<MethodName, string>> = {
  calibrated: '--method calibrated infers it',
  paper: 'under --method paper only --model covariance has a use for it',
}
