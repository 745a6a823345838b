import type { Fitted } from '../model/saved-model.js'
import type { Response } from './target.js'

/** How much of the target a model explains, in the rows that it trusts: 1 is all of it. */
export interface Explained {
  /** R² of numbers; of labels and counts the share of the deviance. */
  readonly measure: 'R²' | 'deviance'
  readonly share: number
}

/**
 * 1 less what is left by the model, over what is left without features: by the mean or the shares of the labels, or
 * without an intercept by 0 (or what a predictor of 0 means). Rows count by P(good): bad ones need no explanation.
 */
export function explained(
  model: Fitted['model'],
  { y, classes }: Response,
  predicted: Float64Array,
  losses: Float64Array,
  clean: Float64Array,
  intercept: boolean,
): Explained | undefined {
  const weighted = (value: (i: number) => number): number =>
    clean.reduce((sum, weight, i) => (weight > 0 ? sum + weight * value(i) : sum), 0)
  const total = weighted(() => 1)
  if (classes !== undefined) {
    const shares = classes.map((_, k) =>
      intercept ? weighted((i) => (y[i] === k ? 1 : 0)) / total : 1 / classes.length,
    )
    return shareOf(
      'deviance',
      weighted((i) => losses[i]!),
      weighted((i) => -Math.log(shares[y[i]!]!)),
    )
  }
  if (model === 'poisson') {
    const rate = intercept ? weighted((i) => y[i]!) / total : 1
    const deviance = (count: number, by: number): number =>
      (count === 0 ? 0 : count * Math.log(count / by)) - (count - by)
    return shareOf(
      'deviance',
      weighted((i) => deviance(y[i]!, predicted[i]!)),
      weighted((i) => deviance(y[i]!, rate)),
    )
  }
  const mean = intercept ? weighted((i) => y[i]!) / total : 0
  return shareOf(
    'R²',
    weighted((i) => (y[i]! - predicted[i]!) ** 2),
    weighted((i) => (y[i]! - mean) ** 2),
  )
}

function shareOf(measure: Explained['measure'], left: number, without: number): Explained | undefined {
  const share = 1 - left / without
  return Number.isFinite(share) ? { measure, share } : undefined
}
