import { FineBins } from './fine-bins.js'

/** What a scan sends where a row has no number: nothing, a text that is none, or one with the sign by which only the database parts thousands. */
export const NOTHING: number = Number.NaN
export const WORD: number = Number.POSITIVE_INFINITY
export const PARTED: number = Number.NEGATIVE_INFINITY

/** Values that are counted exactly; of more, in fine parts. */
const KEPT = 65_536
/** With so few different numbers a target may hold labels. */
const MOST_LABELS = 20

/** A column of numbers as its rows come by. */
export class NumberTally {
  there: number = 0
  words: number = 0
  parted: number = 0
  low: number = Number.POSITIVE_INFINITY
  high: number = Number.NEGATIVE_INFINITY
  /** How often each number occurs, where they are few. */
  singles: Map<number, number> | undefined
  #kept = new Float64Array(0)
  #fine: FineBins | undefined

  constructor({ isTarget }: { readonly isTarget: boolean }) {
    if (isTarget) this.singles = new Map()
  }

  add(values: Float64Array, rows: number): void {
    const before = this.there
    let { low, high, there } = this
    for (let i = 0; i < rows; i++) {
      const value = values[i]!
      // Less itself only a finite number is 0.
      if (value - value === 0) {
        if (value < low) low = value
        if (value > high) high = value
        there++
      } else if (value === WORD) this.words++
      else if (value === PARTED) this.parted++
    }
    Object.assign(this, { low, high, there })
    const kept = this.#fine === undefined ? this.#keep(values, rows, before) : 0
    if (this.there > KEPT) {
      this.#fine ??= new FineBins(this.#kept)
      this.#kept = new Float64Array(0)
      this.#fine.add(values.subarray(kept, rows))
    }
    for (let i = 0; i < rows && this.singles !== undefined; i++)
      if (Number.isFinite(values[i]!)) this.#count(values[i]!, this.singles)
  }

  /** Values as they are, up to so many; returns how many rows these are. */
  #keep(values: Float64Array, rows: number, before: number): number {
    const most = Math.min(KEPT, this.there)
    if (most > this.#kept.length) {
      const more = new Float64Array(Math.min(KEPT, Math.max(64, 2 * most)))
      more.set(this.#kept)
      this.#kept = more
    }
    let i = 0
    for (let at = before; i < rows && at < most; i++)
      if (Number.isFinite(values[i]!)) this.#kept[at++] = values[i]!
    return i
  }

  #count(value: number, singles: Map<number, number>): void {
    singles.set(value, (singles.get(value) ?? 0) + 1)
    if (singles.size > MOST_LABELS) this.singles = undefined
  }

  /** How many values lie in each part of their range. */
  bins(parts: number): number[] {
    if (this.#fine !== undefined) return this.#fine.between(this.low, this.high, parts)
    const out = new Array<number>(parts).fill(0)
    const wide = (this.high - this.low) / parts
    for (const value of this.#kept.subarray(0, this.there))
      out[wide > 0 ? Math.min(parts - 1, Math.floor((value - this.low) / wide)) : 0]!++
    return out
  }
}
