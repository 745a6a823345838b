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
    for (let i = 0; i < rows; i++) {
      const value = values[i]!
      if (!Number.isFinite(value)) {
        if (value === WORD) this.words++
        else if (value === PARTED) this.parted++
        continue
      }
      if (value < this.low) this.low = value
      if (value > this.high) this.high = value
      if (this.#fine !== undefined) this.#fine.add(value)
      else this.#keep(value)
      this.there++
      if (this.singles !== undefined) this.#count(value, this.singles)
    }
  }

  #keep(value: number): void {
    if (this.there === KEPT) {
      this.#fine = new FineBins(this.#kept)
      this.#kept = new Float64Array(0)
      this.#fine.add(value)
      return
    }
    if (this.there === this.#kept.length) {
      const more = new Float64Array(Math.min(KEPT, Math.max(64, 2 * this.there)))
      more.set(this.#kept)
      this.#kept = more
    }
    this.#kept[this.there] = value
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
