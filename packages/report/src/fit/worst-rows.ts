import { flagBelow, standOut, type TableFit } from '@rlvi/estimator'
import { digits } from './numbers.js'

/** What the page's table holds: rows from the worst on, and what is known of them. */
export interface WorstRows {
  readonly head: readonly Head[]
  readonly rows: readonly (readonly Cell[])[]
  /** P(good) of each, as exact as the fit has it. */
  readonly clean: readonly number[]
}

/** A column of it. */
export interface Head {
  readonly name: string
  /** In the page's table, not only in the file of flagged rows. */
  readonly shown: boolean
  readonly kind: 'number' | 'text' | 'why'
}

/** A value of it; none where it is missing. */
export type Cell = number | string | null

/** The table that was fitted, all of its columns. */
export interface OwnColumns {
  readonly names: readonly string[]
  value(column: number, row: number): Cell
}

/** So many rows a page can show; more of a table need not be at hand. */
export const MOST_ROWS = 1000
/** Characters of the whole table: a wide table has fewer rows on the page. */
const MOST_CHARACTERS = 500_000
const MOST_VALUES = 14
const MOST_CELL = 200
/** Rows that nobody doubts are not listed, whatever the threshold. */
const DOUBTFUL = 0.99

/** The rows that the fit trusts least, worst first, with why. */
export function worstRows(fit: TableFit, own: OwnColumns): WorstRows {
  const { clean, losses, rows, response, predicted, suggested, model } = fit
  const classes = response?.classes
  const why = whyOf(fit)
  const order = worst(fit)
  const said: { readonly head: Head; readonly cell: (i: number) => Cell }[] = [
    { head: { name: 'row', shown: true, kind: 'number' }, cell: (i) => rows[i]! + 1 },
    { head: { name: 'clean', shown: true, kind: 'number' }, cell: (i) => rounded(clean[i]!) },
    { head: { name: 'why', shown: true, kind: 'why' }, cell: why },
  ]
  if (response !== undefined && classes === undefined) {
    said.push(
      { head: { name: 'observed', shown: true, kind: 'number' }, cell: (i) => response.y[i]! },
      { head: { name: 'predicted', shown: true, kind: 'number' }, cell: (i) => rounded(predicted![i]!) },
    )
  } else if (response !== undefined && classes !== undefined) {
    const chance = (i: number): number => {
      const p = predicted![i]!
      return model.fitted.model === 'logistic' && suggested![i] === 0 ? 1 - p : p
    }
    said.push(
      { head: { name: 'label', shown: true, kind: 'text' }, cell: (i) => classes[response.y[i]!]! },
      { head: { name: 'suggested', shown: true, kind: 'text' }, cell: (i) => classes[suggested![i]!]! },
      { head: { name: 'P(suggested)', shown: true, kind: 'number' }, cell: (i) => rounded(chance(i)) },
    )
  }
  said.push({ head: { name: 'loss', shown: true, kind: 'number' }, cell: (i) => rounded(losses[i]!) })
  const taken = new Set(said.map(({ head }) => head.name))
  const values = own.names.map((name, column) => ({
    name: taken.has(name) ? `${name} (file)` : name,
    // The target stands there as observed, or as the label.
    shown: name !== response?.name,
    column,
  }))
  let room = MOST_VALUES
  const heads = values.map(({ name, shown }): Head => ({ name, shown: shown && room-- > 0, kind: 'text' }))
  const out: Cell[][] = []
  let characters = 0
  for (const i of order) {
    const cells = [
      ...said.map(({ cell }) => cell(i)),
      ...values.map(({ column }) => short(own.value(column, rows[i]!))),
    ]
    characters += JSON.stringify(cells).length
    if (characters > MOST_CHARACTERS) break
    out.push(cells)
  }
  const head = [...said.map(({ head }) => head), ...heads].map((each, j) => ({
    ...each,
    kind:
      each.kind === 'text' && out.every((row) => row[j] === null || typeof row[j] === 'number')
        ? 'number'
        : each.kind,
  })) as Head[]
  return { head, rows: out, clean: order.slice(0, out.length).map((i) => clean[i]!) }
}

/** At most so many rows by P(good), of equals those with the larger loss first. */
function worst({ clean, losses, part }: TableFit): number[] {
  const doubtful: number[] = []
  clean.forEach((p, i) => {
    if (p < DOUBTFUL) doubtful.push(i)
  })
  return doubtful
    .sort((a, b) => clean[a]! - clean[b]! || losses[b]! - losses[a]! || a - b)
    .slice(0, Math.min(MOST_ROWS, part?.worst ?? MOST_ROWS))
}

/** Standard deviations from which on a feature is worth naming. */
const WORTH_NAMING = 2.5
/** The same of a category: that of one row in twenty. */
const RARE = Math.sqrt(0.95 / 0.05)

/** Why a row is suspicious, in a few words. */
function whyOf(fit: TableFit): (i: number) => string {
  const out = standOut(fit)
  const { response, predicted, clean, model, suggested } = fit
  const { fitted } = model
  const isIndicator = indicatorsOf(fit)
  return (i) => {
    const reasons: string[] = []
    if (response !== undefined && response.classes === undefined) {
      const residual = response.y[i]! - predicted![i]!
      const scale = fitted.model === 'linear' ? fitted.params.scale : Math.sqrt(predicted![i]!)
      const by = Math.abs(residual) / scale
      // Where the model passes through good rows, or expects no count at all, there is no scale.
      const far = Number.isFinite(by) ? `${times(by)} times the usual scatter ` : ''
      reasons.push(`${response.name} is ${far}${residual > 0 ? 'above' : 'below'} the prediction`)
    } else if (response?.classes !== undefined) {
      const looks = response.classes[suggested![i]!]!
      reasons.push(
        suggested![i] === response.y[i]
          ? `${looks} is not certain here`
          : `looks like ${looks}, not ${response.classes[response.y[i]!]!}`,
      )
    }
    const found = out(i)
    if (
      found !== undefined &&
      (Math.abs(found.by) >= WORTH_NAMING || (response === undefined && clean[i]! < flagBelow))
    ) {
      const side = found.by > 0 ? 'high' : 'low'
      // A category is there or not: how often says more than a distance.
      if (isIndicator(found.feature)) {
        if (Math.abs(found.by) >= RARE)
          reasons.push(found.by > 0 ? `${found.feature} is rare` : `nearly all others have ${found.feature}`)
        return reasons.join('; ')
      }
      const beside = found.given === 'others' ? ' beside the other columns' : ''
      reasons.push(`${found.feature} is ${side}${beside} (${times(Math.abs(found.by))} standard deviations)`)
    }
    return reasons.join('; ')
  }
}

/** Whether a column of the design says if a row has a category. */
function indicatorsOf({ design: { names, x } }: TableFit): (feature: string) => boolean {
  const found = new Set(
    names.filter((name, j) => {
      if (!name.includes('=')) return false
      for (let at = j; at < x.values.length; at += x.cols)
        if (x.values[at] !== 0 && x.values[at] !== 1) return false
      return true
    }),
  )
  return (feature) => found.has(feature)
}

function times(value: number): string {
  return value < 10 ? value.toFixed(1) : digits(value, 3)
}

/** Six digits are enough to compare by; files written by the command have all of them. */
function rounded(value: number): number {
  return Number(value.toPrecision(6))
}

function short(value: Cell): Cell {
  return typeof value === 'string' && value.length > MOST_CELL ? `${value.slice(0, MOST_CELL - 1)}…` : value
}
