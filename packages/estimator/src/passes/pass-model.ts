import type {
  CovarianceParams,
  LinearParams,
  LinearRegressionParams,
  Matrix,
  MeanParams,
  Params,
  PcaParams,
  SoftmaxParams,
} from 'rlvi'
import { type PassModel, passModels } from 'rlvi/passes'
import type { ModelName } from '../fit/methods.js'
import { ridge } from '../fit/models.js'
import type { Settings } from '../fit/options.js'
import type { Fitted } from '../model/saved-model.js'

/** The model of a name, as `fitModel` has it. */
export function passModel(name: ModelName, classes: number, settings: Settings): PassModel<Params> {
  const { intercept, components } = settings
  const found = {
    linear: () => passModels.linear({ intercept }),
    logistic: () => passModels.logistic({ intercept, ridge }),
    softmax: () => passModels.softmax({ intercept, ridge, classes }),
    poisson: () => passModels.poisson({ intercept }),
    mean: () => passModels.mean(),
    covariance: () => passModels.covariance(),
    pca: () => passModels.pca({ components }),
  }[name]()
  return found as unknown as PassModel<Params>
}

/** Parameters as plain numbers. */
export function plainParams(name: ModelName, found: Params, cols: number): Fitted {
  switch (name) {
    case 'linear': {
      const params = found as LinearRegressionParams
      return { model: 'linear', params: { ...predictor(params), scale: params.scale } }
    }
    case 'logistic':
    case 'poisson':
      return { model: name, params: predictor(found as LinearParams) }
    case 'softmax': {
      const { intercepts, coefficients } = found as SoftmaxParams
      return { model: 'softmax', params: { intercepts: [...intercepts], coefficients: rowsOf(coefficients) } }
    }
    case 'mean': {
      const { mean, scale } = found as MeanParams
      return { model: 'mean', params: { mean: [...mean], scale: Array<number>(cols).fill(scale) } }
    }
    case 'covariance': {
      const { mean, covariance } = found as CovarianceParams
      return { model: 'covariance', params: { mean: [...mean], covariance: rowsOf(covariance) } }
    }
    case 'pca': {
      const { mean, components, variances } = found as PcaParams
      const params = { mean: [...mean], components: rowsOf(components), variances: [...variances] }
      return { model: 'pca', params }
    }
  }
}

function predictor({ intercept, coefficients }: LinearParams): { intercept: number; coefficients: number[] } {
  return { intercept, coefficients: [...coefficients] }
}

function rowsOf(m: Matrix): number[][] {
  return Array.from({ length: m.rows }, (_, i) => [...m.values.subarray(i * m.cols, (i + 1) * m.cols)])
}
