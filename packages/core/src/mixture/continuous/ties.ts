import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'

/** A response that more than this share of the rows has is a tie. */
const TIED = 0.2
/** On a scale of fewer steps than this values repeat; then it must be more than so many rows. */
const STEPS = 8
const TIED_STEPS = 0.45

/** The response that most rows share, and their share; undefined where rows differ enough. */
export function commonResponse(
  y: Float64Array,
): { readonly value: number; readonly share: number } | undefined {
  const counts = new Map<number, number>()
  for (const value of y) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [value, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
  const share = count / y.length
  const many = counts.size < STEPS ? TIED_STEPS : TIED
  return share > many && share < 1 && count > 2 ? { value, share } : undefined
}

export function hasTies<D, P extends Params>(likelihood: Continuous<D, P>, data: D): boolean {
  return isRegression(likelihood) && commonResponse(likelihood.responses(data)) !== undefined
}
