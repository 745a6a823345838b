import type { CountLikelihood } from '../likelihoods/counts.js'
import { type CovarianceParams, covariance } from '../likelihoods/covariance.js'
import type { Likelihood, LinearParams, Params, Supervised } from '../likelihoods/likelihood.js'
import { type LinearRegressionParams, linear } from '../likelihoods/linear.js'
import { logistic } from '../likelihoods/logistic.js'
import { type MeanParams, mean } from '../likelihoods/mean.js'
import { type PcaParams, pca } from '../likelihoods/pca.js'
import { poisson } from '../likelihoods/poisson.js'
import { type SoftmaxParams, softmax } from '../likelihoods/softmax.js'

/**
 * A model that can be fitted by passes over its rows.
 *
 * - `moments`: its weighted fit depends on a mean and a scatter (linear, mean, covariance, pca)
 * - `newton`: its weighted fit goes by steps of Newton's method (logistic, softmax, poisson)
 */
export interface PassModel<P extends Params> {
  readonly name: 'linear' | 'logistic' | 'softmax' | 'poisson' | 'mean' | 'covariance' | 'pca'
  readonly by: 'moments' | 'newton'
  /** Rows without a response have an empty one. */
  readonly likelihood: Likelihood<Supervised, P>
  /** The same without a ridge. */
  readonly bare: Likelihood<Supervised, P>
  readonly intercept: boolean
  readonly ridge: number
  /** Of softmax; else 2. */
  readonly classes: number
  /** Of counts: their variance is m + dispersion m^2; left out, Poisson's. */
  readonly dispersion?: number
  /** Of pca. */
  readonly components?: number
}

/** A model in plain data, by which another thread makes the same. */
export type PassModelSpec = Pick<
  PassModel<Params>,
  'name' | 'intercept' | 'ridge' | 'classes' | 'dispersion' | 'components'
>

/** A model as plain data, for another thread. */
export function specOf<P extends Params>(model: PassModel<P>): PassModelSpec {
  const { name, intercept, ridge, classes, dispersion, components } = model
  return {
    name,
    intercept,
    ridge,
    classes,
    ...(dispersion === undefined ? {} : { dispersion }),
    ...(components === undefined ? {} : { components }),
  }
}

/** The model that plain data describe. */
export function modelOf({ name, dispersion, ...options }: PassModelSpec): PassModel<Params> {
  const model = passModels[name](options) as unknown as PassModel<Params>
  return dispersion === undefined ? model : withDispersion(model, dispersion)
}

/** The model of counts under a law of another dispersion. */
export function withDispersion<P extends Params>(model: PassModel<P>, dispersion: number): PassModel<P> {
  const law = (model.likelihood as unknown as CountLikelihood).withDispersion(dispersion)
  return { ...model, ...both(law as unknown as Likelihood<Supervised, P>), dispersion }
}

interface PredictorOptions {
  /** Default true. */
  readonly intercept?: boolean
}

interface LabelOptions extends PredictorOptions {
  /** Default 0. */
  readonly ridge?: number
}

function both<P extends Params>(likelihood: Likelihood<Supervised, P>) {
  return { likelihood, bare: likelihood }
}

const none = { intercept: false, ridge: 0, classes: 2 } as const

/** The models that can be fitted by passes. */
export const passModels: {
  readonly linear: (options?: PredictorOptions) => PassModel<LinearRegressionParams>
  readonly logistic: (options?: LabelOptions) => PassModel<LinearParams>
  readonly softmax: (options: LabelOptions & { readonly classes: number }) => PassModel<SoftmaxParams>
  readonly poisson: (options?: PredictorOptions) => PassModel<LinearParams>
  readonly mean: () => PassModel<MeanParams>
  readonly covariance: () => PassModel<CovarianceParams>
  readonly pca: (options?: { readonly components?: number }) => PassModel<PcaParams>
} = {
  linear: ({ intercept = true } = {}) => ({
    ...none,
    name: 'linear',
    by: 'moments',
    ...both(linear({ intercept })),
    intercept,
  }),
  logistic: ({ intercept = true, ridge = 0 } = {}) => ({
    ...none,
    name: 'logistic',
    by: 'newton',
    likelihood: logistic({ intercept, ridge }),
    bare: logistic({ intercept }),
    intercept,
    ridge,
  }),
  softmax: ({ intercept = true, ridge = 0, classes }) => ({
    name: 'softmax',
    by: 'newton',
    likelihood: softmax({ intercept, ridge, classes }),
    bare: softmax({ intercept, classes }),
    intercept,
    ridge,
    classes,
  }),
  poisson: ({ intercept = true } = {}) => ({
    ...none,
    name: 'poisson',
    by: 'newton',
    ...both(poisson({ intercept })),
    intercept,
  }),
  mean: () => ({ ...none, name: 'mean', by: 'moments', ...both(mean()) }),
  covariance: () => ({ ...none, name: 'covariance', by: 'moments', ...both(covariance()) }),
  pca: ({ components = 1 } = {}) => ({
    ...none,
    name: 'pca',
    by: 'moments',
    ...both(pca({ components })),
    components,
  }),
}
