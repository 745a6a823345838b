import { flagBelow, type TableFit } from '@rlvi/estimator'
import { asWritten, brief, grid } from '../terminal/layout.js'
import { rowHeader, rowNumber } from '../terminal/row-number.js'

const MOST_ROWS = 8
const MOST_COLUMNS = 4
const ROUNDING = 1e-12

/** The flagged rows as a table, worst first: what each says, and what the model would have it say. */
export function worstRows(fit: TableFit, width?: number): string {
  const { clean, losses, flagged, response, predicted } = fit
  if (flagged === 0) return ''
  const { x, units, names } = fit.design
  const isProbability = fit.corruption.source === 'inferred'
  const values = names.length <= MOST_COLUMNS ? names : []
  // Rows of a database have none.
  const hasNumbers = fit.rows.every((row) => row >= 0)
  const number = (i: number): string[] => (hasNumbers ? [String(rowNumber(fit.rows[i]!))] : [])
  const header = [...(hasNumbers ? [rowHeader] : []), isProbability ? 'P(good)' : 'weight', ...values]
  if (response !== undefined)
    header.push(...(response.classes === undefined ? [response.name, 'predicted'] : labelled))
  const rows = worst(clean, losses).map((i) => {
    const own = values.map((_, j) => {
      const value = x.values[i * x.cols + j]! * units.scale[j]! + units.centre[j]!
      // What units were taken off and put back leaves of a 0.
      const isRounding = Math.abs(value) < ROUNDING * Math.abs(units.centre[j]!)
      return asWritten(isRounding ? 0 : value)
    })
    const line = [...number(i), clean[i]!.toFixed(3), ...own]
    if (response === undefined) return line
    if (response.classes === undefined) return [...line, asWritten(response.y[i]!), brief(predicted![i]!)]
    const { given, suggested, probability } = labelsOf(fit, i)
    return [...line, given, suggested, probability.toFixed(3)]
  })
  const more = flagged - rows.length
  return (
    grid(header, rows, { first: 'right', width }) +
    (more > 0 ? `… and ${more} more: ${hasNumbers ? '--rows FILE' : '--rows-table NAME'} has all\n` : '')
  )
}

/** The label that a row has, the one that it looks like, and how probable that is. */
export function labelsOf(
  { model, response, predicted, suggested }: TableFit,
  i: number,
): { readonly given: string; readonly suggested: string; readonly probability: number } {
  const classes = response!.classes!
  const place = suggested![i]!
  const p = predicted![i]!
  return {
    given: classes[response!.y[i]!]!,
    suggested: classes[place]!,
    probability: model.fitted.model === 'logistic' && place === 0 ? 1 - p : p,
  }
}

const labelled = ['label', 'suggested', 'P(suggested)']

/** The flagged rows that the fit trusts least, worst first; of equally trusted ones those with the largest loss. */
function worst(clean: Float64Array, losses: Float64Array): number[] {
  const before = (a: number, b: number): boolean =>
    clean[a]! < clean[b]! || (clean[a] === clean[b] && losses[a]! > losses[b]!)
  const out: number[] = []
  for (let i = 0; i < clean.length; i++) {
    if (clean[i]! >= flagBelow || (out.length === MOST_ROWS && !before(i, out.at(-1)!))) continue
    let at = out.length
    while (at > 0 && before(i, out[at - 1]!)) at--
    out.splice(at, 0, i)
    out.length = Math.min(out.length, MOST_ROWS)
  }
  return out
}
