import type { Corruption } from 'rlvi'
import { brief, grid, indented, significant, withError } from '../terminal/layout.js'
import { printable } from '../terminal/printable.js'
import type { Outcome } from './outcome.js'
import { worstRows } from './worst.js'

const MOST_COEFFICIENTS = 60
const MOST_NAMES = 3
const WIDE = 52

/** What a person reads at the end of a fit. */
export function fitText(done: Outcome): string {
  const { prepared, fit, options } = done
  const dropped = prepared.dropped > 0 ? `, ${prepared.dropped} dropped for missing values` : ''
  const rows = `${options.method}, ${prepared.x.rows} rows${dropped}`
  const { status } = fit
  const ended =
    status.kind === 'converged'
      ? ''
      : `status: ${status.kind === 'degenerate' ? `degenerate (${status.reason})` : status.kind}\n`
  const head = `${printable(title(done)).padEnd(WIDE)}  ${rows}\n`
  return `${head}${indented(paramsGrid(done))}${ended}${corruptionLine(done)}${indented(worstRows(done))}`
}

function title({ prepared, options }: Outcome): string {
  const { model, target, encodings } = prepared
  const names = encodings.map((encoding) => encoding.name)
  const by = names.length > MOST_NAMES ? `${names.length} columns` : names.join(', ')
  if (target !== undefined) return `${model} fit of ${target.name} by ${by}`
  const what = model === 'pca' ? `${options.components} component${options.components > 1 ? 's' : ''}` : model
  return `${what} of ${by}`
}

function corruptionLine({ fit, flagged }: Outcome): string {
  const found = flagged === 0 ? 'none flagged' : `${flagged} flagged`
  return `${corruptionText(fit.corruption, fit.clean)}, ${found}\n`
}

/** The paper's rule knows weights only up to a factor: no share of bad rows may be read from them. */
function corruptionText({ level, interval, source }: Corruption, clean: Float64Array): string {
  if (source === 'relative') {
    const mean = clean.reduce((sum, c) => sum + c, 0) / clean.length
    return `weights: mean ${brief(mean)} of the best row's (the paper's rule ranks rows, it does not measure a share)`
  }
  if (level === undefined) return 'bad rows: this method does not say'
  if (source === 'assumed') return `bad rows: ${percent(level)} (assumed, not inferred)`
  const range =
    interval === undefined ? '' : ` (90 % interval ${percent(interval[0])} to ${percent(interval[1])})`
  return `bad rows: ${percent(level)}${range}`
}

function percent(share: number): string {
  const value = 100 * share
  return `${value < 10 ? Number(value.toFixed(1)) : value.toFixed(0)} %`
}

function paramsGrid({ fitted, standardErrors, prepared }: Outcome): string {
  const names = prepared.columns.map((column) => column.name)
  const intercepts = standardErrors?.intercepts
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const { intercept, coefficients } = fitted.params
      const scale = fitted.model === 'linear' ? [fitted.params.scale] : []
      const lines = [
        ...told([intercept], intercepts),
        ...told(coefficients, standardErrors?.coefficients[0]),
        ...scale.map((value) => [significant(value, 3), ''] as const),
      ]
      return listed(undefined, ['intercept', ...names, 'scale'].slice(0, lines.length), columnsOf(lines))
    }
    case 'softmax': {
      const { coefficients } = fitted.params
      const each = fitted.params.intercepts.map((value, k) => [
        ...told([value], intercepts === undefined ? undefined : [intercepts[k]!]),
        ...told(coefficients[k]!, standardErrors?.coefficients[k]),
      ])
      const header = (prepared.target?.classes ?? []).flatMap((name) => [name, ''])
      return listed(header, ['intercept', ...names], each.flatMap(columnsOf))
    }
    case 'mean': {
      const { mean, scale } = fitted.params
      const [values, errors] = columnsOf(told(mean, standardErrors?.coefficients[0]))
      const spreads = scale.map((value) => significant(value, 3))
      return listed(['mean', '', 'scale'], names, [values, errors, spreads])
    }
    case 'covariance': {
      const { mean, covariance } = fitted.params
      return listed(['mean', ...names], names, [mean.map(brief), ...covariance.map((row) => row.map(brief))])
    }
    case 'pca': {
      const { mean, components, variances } = fitted.params
      const each = components.map((component, c) => [...component, variances[c]!].map(brief))
      const header = ['mean', ...components.map((_, c) => `component ${c + 1}`)]
      return listed(header, [...names, 'variance'], [[...mean.map(brief), ''], ...each])
    }
  }
}

type Told = readonly [string, string]

function told(values: readonly number[], errors: readonly number[] | undefined): Told[] {
  return values.map((value, j) => withError(value, errors?.[j]))
}

/** Values and errors as two columns: values end in line, errors begin in line. */
function columnsOf(lines: readonly Told[]): [string[], string[]] {
  const wide = Math.max(...lines.map(([, error]) => error.length))
  return [lines.map(([value]) => value), lines.map(([, error]) => error.padEnd(wide))]
}

/** Columns of values with a name for each line. */
function listed(
  header: readonly string[] | undefined,
  names: readonly string[],
  columns: readonly (readonly string[])[],
): string {
  const rows = names.map((name, i) => [name, ...columns.map((column) => column[i]!)])
  const left = rows.length - MOST_COEFFICIENTS
  const shown = rows.slice(0, MOST_COEFFICIENTS)
  const more = left > 0 ? `… and ${left} more: --json has all\n` : ''
  return grid(header === undefined ? undefined : ['', ...header], shown) + more
}
