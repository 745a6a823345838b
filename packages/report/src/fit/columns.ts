import type { ColumnKind, ColumnSummary } from '@rlvi/estimator'
import { type Html, html, markup } from '../html.js'
import { percent } from './numbers.js'
import { count } from './points.js'

const kinds: Readonly<Record<ColumnKind, string>> = {
  number: 'numbers',
  text: 'texts',
  date: 'dates',
  mixed: 'numbers and words',
  none: 'no values',
  other: 'of another kind',
}

const uses = { target: 'target', feature: 'used', 'left out': 'left out', problem: 'cannot be used' } as const

/** Columns that are seen at once; the others open by a click. */
const MOST_OPEN = 12

/** The columns of a table: what each holds, its shape, and what the fit makes of it. */
export function columnCards(columns: readonly ColumnSummary[], open: number = MOST_OPEN): Html {
  const rest = columns.length - open
  // Where not all are seen at once, the target is among those that are.
  const isTarget = ({ use }: ColumnSummary): boolean => use.as === 'target'
  const sorted = rest <= 3 ? columns : columns.toSorted((a, b) => Number(isTarget(b)) - Number(isTarget(a)))
  const cards = sorted.map(card)
  if (rest <= 3) return html`<ul class="columns">${cards}</ul>`
  return html`<ul class="columns">${cards.slice(0, open)}</ul>
<details><summary>${rest} more columns</summary><ul class="columns">${cards.slice(open)}</ul></details>`
}

function card({ name, kind, rows, missing, range, median, distinct, top, bins, use }: ColumnSummary): Html {
  const facts = [
    range === undefined ? '' : range[0] === range[1] ? `always ${range[0]}` : `${range[0]} to ${range[1]}`,
    median === undefined || range?.[0] === range?.[1] ? '' : `median\u00a0${Number(median.toPrecision(4))}`,
    distinct === undefined ? '' : `${top?.length === 0 ? 'about ' : ''}${count(distinct)} different`,
  ].filter((fact) => fact !== '')
  return html`<li class="column ${use.as.replace(' ', '-')}" title="${name}">
<p class="column-name"><strong>${breakable(name)}</strong><span class="kind">${kinds[kind]}</span></p>
${bins === undefined ? (top === undefined ? '' : topValues(top, rows - missing)) : sparkline(bins)}
<p class="facts">${facts.join(' · ')}</p>
<p class="facts">${missing === 0 ? 'none missing' : html`<span class="gap">${percent(missing / rows)} missing</span> (${count(missing)})`}</p>
<p class="use"><span>${uses[use.as]}</span> ${use.how}</p>
</li>`
}

/** A long name may break behind the signs that part its words. */
function breakable(name: string): Html {
  const [first = '', ...rest] = name.split(/(?<=[_./-])(?=.)/)
  return rest.reduce((before, part) => html`${before}<wbr>${part}`, html`${first}`)
}

const HEIGHT = 34

/** A histogram in a line. */
function sparkline(bins: readonly number[]): Html {
  const most = Math.max(...bins)
  const bars = bins.flatMap((value, k) => {
    if (value === 0) return []
    // One row among many is still to be seen.
    const high = Math.max(1.5, (HEIGHT * value) / most)
    return [`M${k} ${HEIGHT}v${-high.toFixed(1)}h.86v${high.toFixed(1)}z`]
  })
  return markup(
    `<svg class="spark" viewBox="0 0 ${bins.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="histogram"><path d="${bars.join('')}"/></svg>`,
  )
}

const MOST_VALUES = 3

function topValues(top: NonNullable<ColumnSummary['top']>, there: number): Html {
  const lines = top
    .slice(0, MOST_VALUES)
    .map(
      ({ value, count: rows }) =>
        html`<li><span class="fill" style="width:${((100 * rows) / Math.max(1, there)).toFixed(1)}%"></span><span class="value">${value}</span><span>${percent(rows / Math.max(1, there))}</span></li>`,
    )
  return html`<ul class="top">${lines}</ul>`
}
