import type { Fitted, SavedModel } from '@rlvi/estimator'
import type { OnlineState } from 'rlvi'
import type { Choices } from '../options.js'
import type { Plan } from '../state/checkpoint.js'

/** The model as it is now, for `rlvi predict`: in the units of the columns, not in those of the running scales. */
export function savedModel(choices: Choices, plan: Plan, state: OnlineState): SavedModel {
  const { classes } = plan
  return {
    format: 'rlvi-model',
    version: 1,
    method: choices.method,
    rows: state.learner.rows,
    features: plan.features,
    ...(choices.missing === null ? {} : { missing: choices.missing }),
    target: { name: choices.target, ...(classes.length === 0 ? {} : { classes }) },
    fitted: fitted(choices.model, classes.length, state),
  }
}

function fitted(
  model: Choices['model'],
  labels: number,
  { learner: { params }, scaling, options }: OnlineState,
): Fitted {
  const d = options.features
  const { means, scales } = scaling
  /** w z + b with z = (x - mean) / scale; a column that has not varied yet says nothing. */
  const inUnits = (from: number): { intercept: number; coefficients: number[] } => {
    let intercept = params[from + d]!
    const coefficients = Array.from({ length: d }, (_, j) => {
      const coefficient = scales[j] === 0 ? 0 : params[from + j]! / scales[j]!
      intercept -= coefficient * means[j]!
      return coefficient
    })
    return { intercept, coefficients }
  }
  if (model === 'logistic') return { model, params: inUnits(0) }
  if (model === 'softmax') {
    const all = Array.from({ length: labels }, (_, k) => inUnits(k * (d + 1)))
    return {
      model,
      params: {
        intercepts: all.map(({ intercept }) => intercept),
        coefficients: all.map(({ coefficients }) => coefficients),
      },
    }
  }
  const { intercept, coefficients } = inUnits(0)
  const unit = scales[d] || 1
  return {
    model,
    params: {
      intercept: means[d]! + unit * intercept,
      coefficients: coefficients.map((coefficient) => unit * coefficient),
      scale: unit * Math.exp(params[d + 1]!),
    },
  }
}
