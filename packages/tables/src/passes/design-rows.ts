import type { ColumnPlan, RowPlan, TargetPlan } from '@rlvi/estimator'
import { phrase, RlviError, show } from 'rlvi'
import type { ScannedRows } from './scan.js'

/** The columns of a table that a plan needs, in the order of a scan. */
export function columnsOf({ columns, needed, target }: RowPlan): string[] {
  const names = [...columns.map(({ name }) => name), ...needed]
  if (target !== undefined) names.push(target.name)
  return [...new Set(names)]
}

/** The mark of a row with a text that stands for no number. */
const UNSEEN = 2

/** Rows of a scan as rows of a design. */
export class DesignRows {
  private readonly plan: RowPlan
  private readonly names: readonly string[]
  /** Rows that miss a value, by column. */
  readonly missing: Map<string, number> = new Map()
  private gap = new Uint8Array(0)

  constructor(plan: RowPlan) {
    this.plan = plan
    this.names = columnsOf(plan)
  }

  /** Which of the rows miss a value (1), good until the next call. */
  gaps(rows: ScannedRows): Uint8Array {
    const { plan } = this
    if (this.gap.length < rows.rows) this.gap = new Uint8Array(rows.rows)
    const gap = this.gap.fill(0)
    const done = new Set<string>()
    for (const { name, codes, wide } of plan.columns) {
      if (done.has(name)) continue
      done.add(name)
      const first = codes === undefined ? undefined : everyOf(codes.values, wide)
      this.mark(name, this.items(rows, name), first, rows, gap)
    }
    for (const name of plan.needed) this.mark(name, this.items(rows, name), undefined, rows, gap)
    const { target } = plan
    if (target !== undefined) {
      const items = this.items(rows, target.name)
      this.mark(target.name, items, target.codes, rows, gap)
      if (target.labels !== undefined)
        for (let i = 0; i < rows.rows; i++) if (gap[i] === 0 && !target.labels.has(items[i]!)) gap[i] = UNSEEN
    }
    const unseen = gap.indexOf(UNSEEN)
    if (unseen >= 0 && unseen < rows.rows) throw this.unseenAt(rows, unseen)
    return gap
  }

  /** Rows that were looked at show every text of a complete row, unless columns that were left out have gaps of their own. */
  private unseenAt({ first }: ScannedRows, i: number): RlviError {
    const { words } = this.plan
    const rule = 'a category or label that is in no row that was looked at before'
    const todo = `leave out columns that have gaps and say nothing, or give more by ${words.option('memory')}; ${words.rowsCount}`
    return new RlviError(
      words.row(first + i),
      'categories and labels that are known are needed',
      phrase(rule),
      todo,
    )
  }

  private items({ numbers }: ScannedRows, name: string): Float64Array {
    return numbers[this.names.indexOf(name)]!
  }

  private mark(
    name: string,
    items: Float64Array,
    codes: Float64Array | undefined,
    { rows, first }: ScannedRows,
    gap: Uint8Array,
  ): void {
    let count = 0
    for (let i = 0; i < rows; i++) {
      const value = codes === undefined || Number.isNaN(items[i]!) ? items[i]! : codes[items[i]!]!
      if (value - value === 0) continue
      if (!Number.isNaN(value)) {
        if (codes === undefined) throw this.infinite(first + i, name, value)
        if (gap[i] === 0) gap[i] = UNSEEN
        continue
      }
      gap[i] = 1
      count++
    }
    if (count === 0) return
    if (this.plan.strict) throw this.missingAt(first + gap.indexOf(1), name)
    this.missing.set(name, (this.missing.get(name) ?? 0) + count)
  }

  private infinite(row: number, name: string, value: number): RlviError {
    const { words } = this.plan
    const todo = `fix the value, or leave it empty for missing; ${words.rowsCount}`
    return new RlviError(`${words.row(row)}, column ${show(name)}`, 'a finite number is needed', value, todo)
  }

  private missingAt(row: number, name: string): RlviError {
    const { words } = this.plan
    const todo = `fix the row, or drop such rows: leave ${words.option('strict')} out; ${words.rowsCount}`
    return new RlviError(`${words.row(row)}, column ${show(name)}`, 'a value is needed', 'none', todo)
  }

  /** The complete rows from `from` on, as many as fit, into row `to` and those behind it; returns where both ended. */
  fill(
    rows: ScannedRows,
    gap: Uint8Array,
    from: number,
    x: Float64Array,
    y: Float64Array,
    to: number,
    room: number,
  ): { readonly from: number; readonly to: number } {
    const { plan } = this
    let end = from
    let place = to
    for (; end < rows.rows && place < room; end++) if (gap[end] === 0) place++
    for (const column of plan.columns)
      fillColumn(column, this.items(rows, column.name), gap, from, end, x, plan.cols, to)
    const { target } = plan
    if (target !== undefined)
      this.fillTarget(target, this.items(rows, target.name), rows, gap, from, end, y, to)
    return { from: end, to: place }
  }

  private fillTarget(
    { name, labels, codes, counts }: TargetPlan,
    items: Float64Array,
    { first }: ScannedRows,
    gap: Uint8Array,
    from: number,
    end: number,
    y: Float64Array,
    to: number,
  ): void {
    for (let i = from, at = to; i < end; i++) {
      if (gap[i] !== 0) continue
      const value = codes === undefined ? items[i]! : codes[items[i]!]!
      if (counts && !(value >= 0 && Number.isInteger(value))) throw this.noCount(first + i, name, value)
      y[at++] = labels === undefined ? value : labels.get(value)!
    }
  }

  private noCount(row: number, name: string, value: number): RlviError {
    const { words } = this.plan
    const rule = `${words.option('model', 'poisson')} needs counts, whole and not negative`
    const todo = `fix the value, or use ${words.option('model', 'linear')}; ${words.rowsCount}`
    return new RlviError(`${words.row(row)}, column ${show(name)}`, rule, value, todo)
  }
}

function fillColumn(
  { first, wide, codes }: ColumnPlan,
  items: Float64Array,
  gap: Uint8Array,
  from: number,
  end: number,
  x: Float64Array,
  cols: number,
  to: number,
): void {
  if (codes === undefined) {
    for (let i = from, at = to * cols + first; i < end; i++) {
      if (gap[i] !== 0) continue
      x[at] = items[i]!
      at += cols
    }
    return
  }
  const { values } = codes
  for (let i = from, at = to * cols + first; i < end; i++) {
    if (gap[i] !== 0) continue
    const code = items[i]! * wide
    for (let k = 0; k < wide; k++) x[at + k] = values[code + k]!
    at += cols
  }
}

/** The first of every `wide` values. */
function everyOf(values: Float64Array, wide: number): Float64Array {
  return wide === 1
    ? values
    : Float64Array.from({ length: values.length / wide }, (_, k) => values[k * wide]!)
}
