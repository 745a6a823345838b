import type { MethodName, ModelName } from '../fit/methods.js'
import type { Words } from '../words.js'

/** Kish's effective sample size, (sum w)^2 / sum w^2: how many whole rows weigh as much as these. */
export function effectiveSampleSize(weights: Float64Array): number {
  let sum = 0
  let squares = 0
  for (const weight of weights) {
    sum += weight
    squares += weight * weight
  }
  return (sum * sum) / squares
}

/**
 * A caution where the weights leave fewer rows than columns: such a fit only repeats the rows that it rests on. `rows` is the
 * effective sample size of `all` rows.
 */
export function supportRemark(
  rows: number,
  all: number,
  columns: number,
  model: ModelName,
  method: MethodName,
  words: Words,
): string | undefined {
  if (model === 'mean') return undefined
  if (rows > columns + 1 || rows > 0.999 * all) return undefined
  const todo =
    model === 'pca' && method !== 'calibrated'
      ? 'its weights depend on units: give the columns a spread of about 1'
      : `compare ${words.option('method', 'ml')}`
  return `caution: the fit rests on about ${rows.toPrecision(2)} of ${all} rows, too few for ${columns} column${columns === 1 ? '' : 's'}; ${todo}`
}
