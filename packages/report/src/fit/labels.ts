import type { TableFit } from '@rlvi/estimator'
import { type Html, html } from '../html.js'
import { count } from './points.js'

/** With more labels than this a table of all pairs cannot be read: the most frequent pairs are listed then. */
const MOST_LABELS = 14
const MOST_PAIRS = 20

/** Given labels against those that the model suggests. */
export function labelMatrix({ response, suggested, part }: TableFit): Html | undefined {
  const classes = response?.classes
  if (response === undefined || classes === undefined || suggested === undefined) return undefined
  const size = classes.length
  const counts = part?.labels ?? new Float64Array(size * size)
  if (part?.labels === undefined)
    response.y.forEach((given, i) => {
      counts[given * size + suggested[i]!]!++
    })
  if (size > MOST_LABELS) return pairs(classes, counts)
  let most = 1
  counts.forEach((value, at) => {
    if (Math.floor(at / size) !== at % size) most = Math.max(most, value)
  })
  const cell = (given: number, looks: number): Html => {
    const value = counts[given * size + looks]!
    if (given === looks) return html`<td class="same">${count(value)}</td>`
    const strength = value === 0 ? 0 : 0.12 + 0.6 * Math.sqrt(value / most)
    return html`<td style="--strength:${strength.toFixed(2)}">${value === 0 ? '' : count(value)}</td>`
  }
  const rows = classes.map(
    (label, given) =>
      html`<tr><th scope="row">${label}</th>${classes.map((_, looks) => cell(given, looks))}</tr>`,
  )
  return html`<p>Down: the label in the file. Across: the label that the row looks like.</p>
<div class="table" tabindex="0" role="region" aria-label="Given against suggested labels"><table class="matrix">
<thead><tr><td></td>${classes.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function pairs(classes: readonly string[], counts: Float64Array): Html {
  const size = classes.length
  const all = Array.from(counts, (value, at) => ({ value, given: Math.floor(at / size), looks: at % size }))
    .filter(({ value, given, looks }) => value > 0 && given !== looks)
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_PAIRS)
  const rows = all.map(
    ({ value, given, looks }) =>
      html`<tr><td>${classes[given]}</td><td>${classes[looks]}</td><td class="number">${count(value)}</td></tr>`,
  )
  return html`<div class="table" tabindex="0" role="region" aria-label="Given against suggested labels"><table>
<caption>The most frequent pairs of ${size} labels.</caption>
<thead><tr><th scope="col">given label</th><th scope="col">looks like</th><th scope="col" class="number">rows</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
