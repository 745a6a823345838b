/** Of the likelihood, by which models are averaged. Chosen on the paper's linear benchmark, where 1 is worst at a level of .4 and 0 worst at 0; .2 to .3 serve alike. */
const POWER = 0.25

/**
 * P(good) of each row and the level, averaged over models by the fourth root of their likelihoods: the models were fitted
 * to the very rows that judge them, so their likelihoods overstate how far apart they are.
 */
export function modelAverage(
  models: readonly { readonly value: number; readonly weights: Float64Array; readonly level?: number }[],
): { readonly weights: Float64Array; readonly level: number } {
  const finite = models.filter(({ value }) => Number.isFinite(value))
  const best = finite.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const weights = new Float64Array(models[0].weights.length)
  let level = 0
  let total = 0
  for (const model of finite) {
    const share = Math.exp(POWER * (model.value - best))
    total += share
    level += share * (model.level ?? 0)
    for (let i = 0; i < weights.length; i++) weights[i] += share * model.weights[i]
  }
  for (let i = 0; i < weights.length; i++) weights[i] /= total
  return { weights, level: level / total }
}
