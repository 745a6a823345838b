import type { ColumnSummary } from '@rlvi/estimator'
import { columnCards } from './fit/columns.js'
import { count } from './fit/points.js'
import { fitStyle } from './fit/style.js'
import { html } from './html.js'
import { livePage } from './live-page.js'

/** What a page about the columns of a table shows. */
export interface LookReport {
  readonly source: string
  readonly rows: number
  readonly columns: readonly ColumnSummary[]
  /** How it was made, a line each. */
  readonly made: readonly (readonly [what: string, value: string])[]
}

/**
 * One HTML file with the columns of a table: type, missing values, range, shape, and what a fit would do with each.
 *
 * @example
 * const html = lookReport({ source: 'stars.csv', rows: 47, columns: summariseColumns(columns), made: [] })
 */
export function lookReport({ source, rows, columns, made }: LookReport): string {
  const gaps = columns.filter(({ missing }) => missing > 0).length
  const used = columns.filter(({ use }) => use.as === 'feature' || use.as === 'target').length
  const problems = columns.filter(({ use }) => use.as === 'problem').length
  const body = html`<main><header><div class="top-line"><span>rlvi look</span></div><h1>${source}</h1>
<dl class="tiles"><div><dt>Rows</dt><dd>${count(rows)}</dd></div><div><dt>Columns</dt><dd>${count(columns.length)}<small>${count(used)} can be used${problems === 0 ? '' : `, ${count(problems)} not as they are`}</small></dd></div>
<div><dt>With gaps</dt><dd>${count(gaps)}<small>columns with missing values</small></dd></div></dl></header>
<section aria-labelledby="columns"><h2 id="columns">The columns</h2>${columnCards(columns, Number.POSITIVE_INFINITY)}</section>
<section aria-labelledby="made"><h2 id="made">How this was made</h2><dl class="made card">${made.map(([what, value]) => html`<dt>${what}</dt><dd>${value}</dd>`)}</dl></section></main>`
  return livePage({ title: source, style: fitStyle, body })
}
