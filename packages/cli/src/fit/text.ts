import type { Corruption } from 'rlvi'
import { brief, grid, pairs } from '../layout.js'
import { printable } from '../printable.js'
import type { Outcome } from './outcome.js'

const WORST = 5
const MOST_COEFFICIENTS = 60

const titles = {
  linear: 'Linear regression',
  logistic: 'Logistic regression',
  softmax: 'Softmax regression',
  poisson: 'Poisson regression',
  mean: 'Mean',
  covariance: 'Mean and covariance',
  pca: 'Principal components',
} as const

/** What a person reads at the end of a fit. */
export function fitText(done: Outcome): string {
  const { prepared, fit, options } = done
  const { target, model, columns } = prepared
  const of = target === undefined ? `${columns.length} columns` : target.name
  const { status } = fit
  const times = `${fit.iterations} iteration${fit.iterations === 1 ? '' : 's'}`
  const summary: [string, string][] = [
    ['method', options.method],
    [
      'rows',
      `${prepared.x.rows}${prepared.dropped > 0 ? `, and ${prepared.dropped} dropped for missing values` : ''}`,
    ],
    [
      'status',
      `${status.kind === 'degenerate' ? `degenerate (${status.reason})` : status.kind} after ${times}`,
    ],
    ...scaleLine(done),
    corruptionLine(fit.corruption, fit.clean),
    ['flagged', `${done.flagged} of ${prepared.x.rows} rows (clean below .5)`],
  ]
  return `${titles[model]} of ${printable(of)}\n\n${pairs(summary)}\n${paramsGrid(done)}\n${worstRows(done)}`
}

function scaleLine({ fitted }: Outcome): [string, string][] {
  return 'scale' in fitted.params ? [['scale', brief(fitted.params.scale)]] : []
}

/** The paper's rule knows weights only up to a factor: no share of bad rows may be read from them. */
function corruptionLine({ level, interval, source }: Corruption, clean: Float64Array): [string, string] {
  if (source === 'relative') {
    const mean = clean.reduce((sum, c) => sum + c, 0) / clean.length
    const caution = "relative: the paper's rule ranks rows, it does not measure a share"
    return ['weights', `mean ${brief(mean)} of the best row's (${caution})`]
  }
  if (level === undefined) return ['corruption', 'this method does not say']
  const range = interval === undefined ? '' : `, between ${brief(interval[0])} and ${brief(interval[1])}`
  return ['corruption', `${brief(level)}${range} (${source})`]
}

function paramsGrid({ fitted, prepared }: Outcome): string {
  const names = prepared.columns.map((column) => column.name)
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const { intercept, coefficients } = fitted.params
      return listed(['', 'coefficient'], ['intercept', ...names], [[intercept, ...coefficients]])
    }
    case 'softmax': {
      const { intercepts, coefficients } = fitted.params
      const each = intercepts.map((value, k) => [value, ...coefficients[k]!])
      return listed(['', ...(prepared.target?.classes ?? [])], ['intercept', ...names], each)
    }
    case 'mean':
      return listed(['', 'mean'], names, [fitted.params.mean])
    case 'covariance':
      return listed(['', 'mean', ...names], names, [fitted.params.mean, ...fitted.params.covariance])
    case 'pca': {
      const { mean, components, variances } = fitted.params
      const header = ['', 'mean', ...components.map((_, c) => `component ${c + 1}`)]
      return listed(
        header,
        [...names, 'variance'],
        [[...mean, Number.NaN], ...components.map((c, k) => [...c, variances[k]!])],
      )
    }
  }
}

/** Columns of numbers with a name for each line. */
function listed(header: string[], names: readonly string[], columns: readonly (readonly number[])[]): string {
  const rows = names.map((name, i) => [
    name,
    ...columns.map((column) => (Number.isNaN(column[i]!) ? '' : brief(column[i]!))),
  ])
  const left = rows.length - MOST_COEFFICIENTS
  return (
    grid(header, rows.slice(0, MOST_COEFFICIENTS)) + (left > 0 ? `… and ${left} more: --json has all\n` : '')
  )
}

/** The rows that the fit trusts least, worst first; of equally trusted ones those with the largest loss. */
function worst(clean: Float64Array, losses: Float64Array): number[] {
  const before = (a: number, b: number): boolean =>
    clean[a]! < clean[b]! || (clean[a] === clean[b] && losses[a]! > losses[b]!)
  const out: number[] = []
  for (let i = 0; i < clean.length; i++) {
    if (out.length === WORST && !before(i, out.at(-1)!)) continue
    let at = out.length
    while (at > 0 && before(i, out[at - 1]!)) at--
    out.splice(at, 0, i)
    out.length = Math.min(out.length, WORST)
  }
  return out
}

function worstRows({ prepared, fit, told }: Outcome): string {
  const { target } = prepared
  const label = (k: number): string => (target?.classes === undefined ? brief(k) : target.classes[k]!)
  const rows = worst(fit.clean, fit.losses).map((i) => {
    const own = [String(prepared.rows[i]), brief(fit.clean[i]!), brief(fit.losses[i]!)]
    if (target === undefined) return own
    const suggestion = told.suggested === undefined ? [] : [label(told.suggested[i]!)]
    return [...own, label(target.y[i]!), brief(told.predicted![i]!), ...suggestion]
  })
  const header = ['worst rows', 'clean', 'loss']
  if (target !== undefined) header.push(target.name, 'predicted')
  if (told.suggested !== undefined) header.push('suggested')
  return grid(header, rows)
}
