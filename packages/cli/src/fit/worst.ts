import { brief, grid } from '../terminal/layout.js'
import { FLAG_BELOW, type Outcome } from './outcome.js'

const MOST_ROWS = 8
const MOST_COLUMNS = 4

/** The flagged rows as a table, worst first: what each says, and what the model would have it say. */
export function worstRows(done: Outcome): string {
  const { prepared, fit, told, flagged, units } = done
  if (flagged === 0) return ''
  const { target, columns, x } = prepared
  const isProbability = fit.corruption.source === 'inferred'
  const values = columns.length <= MOST_COLUMNS ? columns.map((column) => column.name) : []
  const header = ['row', isProbability ? 'P(good)' : 'weight', ...values]
  if (target !== undefined)
    header.push(...(target.classes === undefined ? [target.name, 'predicted'] : labelled))
  const rows = worst(fit.clean, fit.losses).map((i) => {
    const own = values.map((_, j) => brief(x.values[i * x.cols + j]! * units.scale[j]! + units.centre[j]!))
    const line = [String(prepared.rows[i]), fit.clean[i]!.toFixed(3), ...own]
    if (target === undefined) return line
    if (target.classes === undefined) return [...line, brief(target.y[i]!), brief(told.predicted![i]!)]
    const suggested = told.suggested![i]!
    const p = told.predicted![i]!
    const sure = prepared.model === 'logistic' && suggested === 0 ? 1 - p : p
    return [...line, target.classes[target.y[i]!]!, target.classes[suggested]!, sure.toFixed(3)]
  })
  const more = flagged - rows.length
  return grid(header, rows, 'right') + (more > 0 ? `… and ${more} more: --rows FILE has all\n` : '')
}

const labelled = ['given', 'suggested', 'P(suggested)']

/** The flagged rows that the fit trusts least, worst first; of equally trusted ones those with the largest loss. */
function worst(clean: Float64Array, losses: Float64Array): number[] {
  const before = (a: number, b: number): boolean =>
    clean[a]! < clean[b]! || (clean[a] === clean[b] && losses[a]! > losses[b]!)
  const out: number[] = []
  for (let i = 0; i < clean.length; i++) {
    if (clean[i]! >= FLAG_BELOW || (out.length === MOST_ROWS && !before(i, out.at(-1)!))) continue
    let at = out.length
    while (at > 0 && before(i, out[at - 1]!)) at--
    out.splice(at, 0, i)
    out.length = Math.min(out.length, MOST_ROWS)
  }
  return out
}
