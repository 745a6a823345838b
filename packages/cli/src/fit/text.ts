import { badFromText, errorLawText, isPlainLaw, type TableFit } from '@rlvi/estimator'
import type { Corruption } from 'rlvi'
import { brief, indented } from '../terminal/layout.js'
import { printable } from '../terminal/printable.js'
import { type ParamsOptions, paramsGrid } from './params.js'
import { worstRows } from './worst.js'

const MOST_NAMES = 3
const WIDE = 52
const INDENT = 2

/** What a person reads at the end of a fit. */
export function toText(fit: TableFit, options: ParamsOptions = {}): string {
  const { status, model } = fit
  const dropped = fit.dropped > 0 ? `, ${fit.dropped} dropped for missing values` : ''
  const rows = `${model.method}, ${model.rows} rows${dropped}`
  const ended =
    status.kind === 'converged'
      ? ''
      : `status: ${status.kind === 'degenerate' ? `degenerate (${status.reason})` : status.kind}\n`
  const head = `${printable(title(fit)).padEnd(WIDE)}  ${rows}\n`
  const width = options.width === undefined ? undefined : options.width - INDENT
  const params = indented(paramsGrid(fit, { ...options, width }))
  return `${head}${params}${ended}${explainedLine(fit)}${corruptionLine(fit)}${lawLine(fit)}${badFromLine(fit)}${indented(worstRows(fit, width))}`
}

function title({ model: { fitted, target, features } }: TableFit): string {
  // Several features may come from one column, as the parts of a date do.
  const names = [...new Set(features.map((feature) => feature.name))]
  const by = names.length > MOST_NAMES ? `${names.length} columns` : names.join(', ')
  if (target !== undefined) return `${fitted.model} fit of ${target.name} by ${by}`
  if (fitted.model !== 'pca') return `${fitted.model} of ${by}`
  const { length } = fitted.params.components
  return `${length} component${length > 1 ? 's' : ''} of ${by}`
}

/** How much the model explains, and on how many rows it rests. */
function explainedLine({ explained, effectiveRows }: TableFit): string {
  const rows = `${Number(effectiveRows.toPrecision(4))} effective rows`
  if (explained === undefined) return `rests on ${rows}\n`
  const { measure, share } = explained
  const what = measure === 'R²' ? 'variance (R²)' : 'deviance'
  // A law of errors that asks for other estimates than least squares may leave more than a mean does.
  const part = share < 0 ? 'none' : percent(share)
  return `explains ${part} of the ${what} of good rows, rests on ${rows}\n`
}

function corruptionLine({ corruption, flagged }: TableFit): string {
  const found = flagged === 0 ? 'none flagged' : `${flagged} flagged`
  return `${corruptionText(corruption)}, ${found}\n`
}

/** The paper's rule knows weights only up to a factor: no share of bad rows may be read from them. */
function corruptionText({ level, interval, source }: Corruption): string {
  if (source === 'relative' && level !== undefined) {
    return `weights: mean ${brief(1 - level)} of the best row's (the paper's rule ranks rows, it does not measure a share)`
  }
  if (level === undefined) return 'bad rows: this method does not say'
  if (source === 'assumed') return `bad rows: ${percent(level)} (assumed, not inferred)`
  if (interval === undefined) return `bad rows: about ${percent(level)} (how far off that is cannot be told)`
  const [low, high] = interval
  const found = level > 0 && low <= 0 ? `about ${percent(level)}, perhaps none` : percent(level)
  return `bad rows: ${found} (90 % interval ${percent(low)} to ${percent(high)})`
}

/** Nothing where good rows are what everybody takes them for. */
function lawLine({ errors }: TableFit): string {
  return errors === undefined || isPlainLaw(errors) ? '' : `good rows: ${errorLawText(errors)}\n`
}

/** What the level cannot hold: errors that look like what good rows scatter. */
function badFromLine({ badFrom, model }: TableFit): string {
  const text = badFrom && badFromText(badFrom, model.fitted.model)
  return text === undefined ? '' : `${text}\n`
}

function percent(share: number): string {
  const value = 100 * share
  if (value > 0 && value < 0.05) return '< 0.1 %'
  // Nearly all is not all.
  if (value >= 99.5 && value < 100) return `${Math.floor(10 * value) / 10} %`
  return `${Math.abs(value) < 10 ? Number(value.toFixed(1)) : value.toFixed(0)} %`
}
