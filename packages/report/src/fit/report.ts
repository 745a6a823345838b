import {
  badFromText,
  type ColumnSummary,
  errorLawText,
  flagBelow,
  isPlainLaw,
  type PlainFit,
  type TableFit,
} from '@rlvi/estimator'
import type { PlotDocument } from '../figure.js'
import { dataBlock, type Html, html, markup } from '../html.js'
import { livePage } from '../live-page.js'
import { columnCards } from './columns.js'
import { labelMatrix } from './labels.js'
import { digits, percent, probability } from './numbers.js'
import { paramsTable } from './params.js'
import { cleanHistogram } from './plots/clean-histogram.js'
import { dataViews } from './plots/data-views.js'
import { margins, WIDTH } from './plots/dots.js'
import { levelPlot } from './plots/level.js'
import { orderView, residualView } from './plots/residual-views.js'
import { tracePlot } from './plots/trace.js'
import type { View } from './plots/view.js'
import { count, pointsOf, thinned } from './points.js'
import { belowThresholds, rowsUsed } from './rows-used.js'
import { script, scriptHash } from './script.js'
import { fitStyle } from './style.js'
import { cleanName, headline, levelText, title } from './words.js'
import { type Cell, type OwnColumns, type WorstRows, worstRows } from './worst-rows.js'

/** What the report of a fit shows. */
export interface FitReport {
  /** What was fitted, such as the name of a file. */
  readonly source: string
  readonly fit: TableFit
  /** The fit that trusts every row: `plainFit(fit)`. */
  readonly plain: PlainFit
  /** All columns of the table, whether the fit used them or not. */
  readonly columns: readonly ColumnSummary[]
  /** Their values, by the number of the row in the table, from 0. */
  readonly values: OwnColumns
  /** How it was made, a line each: command, version, seed, and the like. */
  readonly made: readonly (readonly [what: string, value: string])[]
}

/** Rows of the table that are seen before more are asked for. */
const FIRST_ROWS = 25
/** Up to so many points are drawn large. */
const FEW_POINTS = 250

/**
 * One HTML file about a fit, for people: the columns, how much of the table is bad, what the fit would be without
 * protection, and which rows are bad, and why. It works from disk and asks for nothing from the network.
 *
 * @example
 * const html = fitReport({ source: 'stars.csv', fit, plain: plainFit(fit), columns, values, made: [] }, svgDocument())
 */
export function fitReport(report: FitReport, document: PlotDocument): string {
  const { source, fit, plain, columns, values, made } = report
  const points = pointsOf(fit)
  const drawn = { fit, plain, points, document }
  const worst = worstRows(fit, values)
  const label = cleanName(fit)
  const data = {
    name: `${source.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')}-flagged.csv`,
    label,
    points: {
      clean: Array.from(points.places, (i) => Number(fit.clean[i]!.toPrecision(4))),
      row: Array.from(points.places, (i) => fit.rows[i]! + 1),
    },
    worst,
    below: belowThresholds(fit),
    // Where the rule of the histogram may move.
    frame: { left: margins.marginLeft, wide: WIDTH - margins.marginLeft - margins.marginRight },
    step: FIRST_ROWS,
  }
  const views = dataViews(drawn)
  const residuals = [residualView(drawn), orderView(drawn)].filter((view) => view !== undefined)
  const hasFits = views.some(({ svg }) => svg.includes('fit-robust'))
  const size = points.places.length <= FEW_POINTS ? 'few' : points.places.length > 1200 ? 'many' : 'some'
  const matrix = labelMatrix(fit)
  const body = html`<main class="${size}">
${head(report, label)}
<section aria-labelledby="columns"><h2 id="columns">The columns</h2>${columnCards(columns)}${dropped(fit)}</section>
<section aria-labelledby="how-much"><h2 id="how-much">How much is bad</h2>${level(fit, document)}</section>
<section aria-labelledby="fits"><h2 id="fits">With and without protection</h2>
<p>The fit that the good rows support, beside the one that trusts every row.${fit.intervals === undefined ? '' : ' Intervals hold the value with a probability of 90 %; those of the second one would if no row were bad.'}</p>
${paramsTable(fit, plain)}</section>
<section aria-labelledby="the-data"><h2 id="the-data">The data</h2>${legend(hasFits, label)}
<div class="figures">${views.map(figure)}</div><p class="note">${thinned(points, fit)}</p></section>
<section aria-labelledby="errors"><h2 id="errors">How badly rows fit</h2><div class="figures">${residuals.map(figure)}${figure(histogram(fit, label, document))}</div></section>
<section aria-labelledby="worst"><h2 id="worst">The suspicious rows</h2>${table(worst, label)}</section>
${matrix && html`<section aria-labelledby="labels"><h2 id="labels">Given against suggested labels</h2>${matrix}</section>`}
${fit.trace.length > 0 && html`<section aria-labelledby="the-course"><h2 id="the-course">How the fit went</h2>${course(fit, document)}</section>`}
<section aria-labelledby="made"><h2 id="made">How this was made</h2>${provenance(fit, made)}</section>
</main>
<div id="tip" hidden aria-hidden="true"></div>
${dataBlock('rlvi-data', data)}`
  return livePage({ title: `${source}: ${title(fit)}`, style: fitStyle, body, script, scriptHash })
}

function head({ source, fit }: FitReport, label: string): Html {
  const { corruption, explained } = fit
  const { level, interval, source: known } = corruption
  const share =
    known === 'inferred' && level !== undefined
      ? html`<div><dt>Bad rows</dt><dd>${percent(level)}<small>${interval === undefined ? '' : `90 % interval ${percent(interval[0])} to ${percent(interval[1])}`}</small></dd></div>`
      : ''
  return html`<header>
<a class="skip" href="#worst">To the suspicious rows</a>
<div class="top-line"><span>rlvi report · ${fit.model.fitted.model}, ${fit.model.method}</span><button type="button" id="theme" class="live" hidden>Light or dark</button></div>
<h1>${source}: ${title(fit)}</h1>
<p class="lead">${headline(fit)}</p>
<dl class="tiles"><div><dt>Rows used</dt><dd>${count(rowsUsed(fit))}<small>${fit.dropped === 0 ? 'none dropped' : `${count(fit.dropped)} dropped for missing values`}</small></dd></div>
${share}<div><dt>Flagged</dt><dd class="bad"><span id="flagged-tile">${count(fit.flagged)}</span><small>by the threshold below</small></dd></div>
${explained && html`<div><dt>Explained</dt><dd>${percent(explained.share)}<small>of the ${explained.measure === 'R²' ? 'variance (R²)' : 'deviance'} of good rows</small></dd></div>`}
<div><dt>Rests on</dt><dd>${count(Math.round(fit.effectiveRows))}<small>effective rows</small></dd></div></dl>
${cautions(fit)}
</header>
<div class="bar live" hidden role="group" aria-label="Threshold"><div class="bar-inner"><label for="threshold">Flag rows with ${label} below</label><output id="threshold-value" for="threshold">${flagBelow.toFixed(2)}</output>
<input type="range" id="threshold" min="1" max="99" step="1" value="${100 * flagBelow}"><output id="flagged-count" for="threshold" aria-live="polite"></output><button type="button" id="download">Flagged rows as CSV</button></div></div>`
}

function cautions({ cautions: found, status }: TableFit): Html | undefined {
  const items = [
    ...(status.kind === 'converged' ? [] : [`Status: ${status.message}`]),
    ...found.map(({ message }) => `Caution: ${message}`),
  ]
  if (items.length === 0) return undefined
  return html`<ul class="cautions">${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

function dropped({ dropped: rows, inputRows }: TableFit): Html | undefined {
  if (rows === 0) return undefined
  return html`<p class="note">${count(rows)} of ${count(inputRows)} rows have a missing value in a column that is used, and were dropped.</p>`
}

function level(fit: TableFit, document: PlotDocument): Html {
  const { corruption, errors, badFrom } = fit
  const law =
    errors === undefined || isPlainLaw(errors) ? undefined : html`<p>Good rows: ${errorLawText(errors)}.</p>`
  const far = badFrom && badFromText(badFrom, fit.model.fitted.model)
  const limit = far === undefined ? undefined : html`<p>${far[0]!.toUpperCase()}${far.slice(1)}.</p>`
  const picture =
    corruption.source === 'inferred' && corruption.level !== undefined
      ? html`<div class="figures"><figure>${markup(levelPlot(corruption.level, corruption.interval, document))}</figure></div>`
      : undefined
  return html`<p>${levelText(fit)}</p>${picture}${law}${limit}`
}

function figure({ title: name, svg, caption }: View): Html {
  return html`<figure><h3>${name}</h3>${markup(svg)}<figcaption>${caption}</figcaption></figure>`
}

function histogram(fit: TableFit, label: string, document: PlotDocument): View {
  return {
    title: `Rows by ${label}`,
    svg: cleanHistogram(belowThresholds(fit), rowsUsed(fit), label, flagBelow, document),
    caption:
      'A gap between both ends means that good and bad rows are told apart. Rows left of the line are flagged.',
  }
}

const several = (iterations: number): string => `${iterations} iteration${iterations === 1 ? '' : 's'}`

/** Fewer iterations than this are told, not drawn. */
const FEW_STEPS = 3

function course({ trace, iterations }: TableFit, document: PlotDocument): Html {
  const first = trace[0]?.bound ?? Number.NaN
  const last = trace.at(-1)?.bound ?? Number.NaN
  if (trace.length < FEW_STEPS || first === last)
    return html`<p>The bound, which the fit makes as large as it can, reached ${digits(last, 6)} in ${several(iterations)}.</p>`
  const view: View = {
    title: `The bound over ${iterations} iterations`,
    svg: tracePlot(trace, document),
    caption:
      'The evidence lower bound at the losses and weights of each iteration. It is level where nothing is left to gain.',
  }
  return html`<div class="figures">${figure(view)}</div>`
}

function legend(hasFits: boolean, label: string): Html {
  return html`<ul class="legend"><li><span class="ramp"></span>${label}, from 0 to 1</li><li><span class="ring"></span>flagged</li>${hasFits && html`<li><span class="stroke"></span>fit to the good rows</li><li><span class="stroke plain"></span>fit to all rows</li>`}</ul>`
}

const names: Readonly<Record<string, string>> = { row: 'row (from 1)', why: 'why' }

/** The first rows as they are; the script takes over, where scripts run. */
function table({ head: heads, rows, clean }: WorstRows, label: string): Html {
  const shown = heads.flatMap((each, j) => (each.shown ? [{ ...each, j }] : []))
  const title = (name: string, j: number): string => (j === 1 ? label : (names[name] ?? name))
  const orders = shown.map(({ name, j }) => html`<option value="${j}">${title(name, j)}</option>`)
  const header = shown.map(
    ({ name, kind, j }) =>
      html`<th role="columnheader" scope="col" class="${kind}" data-column="${j}"><button type="button">${title(name, j)}</button></th>`,
  )
  const flagged = rows.filter((_, k) => clean[k]! < flagBelow)
  const lines = flagged
    .slice(0, FIRST_ROWS)
    .map(
      (row) =>
        html`<tr role="row">${shown.map(({ name, kind, j }) => html`<td role="cell" class="${kind}" data-name="${title(name, j)}">${text(row[j] ?? null, j)}</td>`)}</tr>`,
    )
  return html`<p>Worst first. A suspicion is a question, not a verdict: look before you change a row.</p>
<div class="sort live" hidden><label for="sort">Sort by</label><select id="sort"><option value="-1">worst first</option>${orders}</select><button type="button" id="turn" disabled>Turn round</button></div>
<div class="table" tabindex="0" role="region" aria-label="Suspicious rows"><table id="rows" role="table"><thead role="rowgroup"><tr role="row">${header}</tr></thead><tbody role="rowgroup">${lines}</tbody></table></div>
<div class="row-tools"><button type="button" id="more" hidden>Show 100 more</button><span class="note" id="rows-note" aria-live="polite"></span></div>`
}

function text(value: Cell, j: number): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  return j === 1 ? probability(value) : digits(value, 6)
}

function provenance(fit: TableFit, made: FitReport['made']): Html {
  const all: (readonly [string, string])[] = [
    ...made,
    [
      'rows',
      `${count(fit.inputRows)} in the file, ${count(rowsUsed(fit))} used, ${count(fit.dropped)} dropped for missing values`,
    ],
    ['ended', fit.status.kind + (fit.iterations > 0 ? ` after ${several(fit.iterations)}` : '')],
  ]
  const remarks = fit.remarks.filter(
    (remark) => !fit.cautions.some(({ message }) => remark.includes(message)),
  )
  return html`<dl class="made card">${all.map(([what, value]) => html`<dt>${what}</dt><dd>${value}</dd>`)}</dl>
${remarks.length > 0 && html`<h3>Remarks</h3><ul>${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`}`
}
