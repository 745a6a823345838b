import type { TableFit } from '@rlvi/estimator'
import { percent } from './numbers.js'
import { count } from './points.js'
import { rowsUsed } from './rows-used.js'

/** What the fit's `clean` is called: a probability, or where only ratios are known a weight. */
export function cleanName({ corruption }: TableFit): string {
  return corruption.source === 'inferred' ? 'P(good)' : 'weight'
}

/** What nobody would call none. */
const SOME = 0.05

/** The answer in a sentence. */
export function headline(fit: TableFit): string {
  const { corruption, flagged } = fit
  const { level, interval, source } = corruption
  const many = `${count(flagged)} of ${count(rowsUsed(fit))} rows ${flagged === 1 ? 'is' : 'are'} flagged`
  if (source !== 'inferred' || level === undefined) return `${many}.`
  if (flagged === 0 && level === 0) {
    if (interval === undefined) return 'No row stands out, but how many are bad cannot be told.'
    return interval[1] > SOME
      ? `No row stands out, but up to ${percent(interval[1])} may be bad.`
      : 'No row looks bad.'
  }
  if (flagged === 0) return `About ${percent(level)} of the rows may be bad, but none stands out.`
  const perhaps = interval !== undefined && interval[0] <= 0 ? ', perhaps none' : ''
  return `About ${percent(level)} of the rows look bad${perhaps}: ${many}.`
}

/** The share of bad rows with its interval, in words. */
export function levelText(fit: TableFit): string {
  const { level, interval, source } = fit.corruption
  const rows = rowsUsed(fit)
  if (source === 'relative')
    return "This method ranks rows by weight; it does not measure the share of bad ones. Weights are relative to the best row's."
  if (level === undefined) return 'This method does not say how many rows are bad.'
  if (source === 'assumed')
    return `${percent(level)} of the rows were assumed to be bad: the method was given this share, it did not infer it.`
  if (interval === undefined)
    return `About ${percent(level)} of the rows are bad; how far off that is cannot be told.`
  const [low, high] = interval
  const inRows = (share: number): string => count(Math.round(share * rows))
  const range = `between ${percent(low)} and ${percent(high)} with a probability of 90 %, that is ${inRows(low)} to ${inRows(high)} of ${count(rows)} rows`
  if (level === 0) return `There is no sign of bad rows. Their share lies ${range}.`
  const perhaps = low <= 0 ? ' Perhaps there are none.' : ''
  return `About ${percent(level)} of the rows are bad: ${range}.${perhaps}`
}

/** What was fitted to what. */
export function title({ model: { fitted, target, features } }: TableFit): string {
  const names = [...new Set(features.map((feature) => feature.name))]
  const by = names.length > 4 ? `${names.length} columns` : names.join(', ')
  if (target !== undefined) return `${target.name} explained by ${by}`
  const what = { mean: 'Mean', covariance: 'Covariance', pca: 'Principal components' }[fitted.model as 'pca']
  return `${what} of ${by}`
}
