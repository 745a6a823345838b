import { BIN_POWERS, BINS_PER_UNIT, FARTHEST, type LossBins } from './aggregates.js'

const SPAN = FARTHEST * BINS_PER_UNIT

/** Gathers losses, block by block. The bins begin at the least loss so far, and end `FARTHEST` above it. */
export class LossBinsBuilder {
  private first = 0
  private sums = new Float64Array(0)
  private beyond = 0
  private least = Number.POSITIVE_INFINITY
  private most = Number.NEGATIVE_INFINITY

  add(losses: Float64Array): void {
    let { least, most } = this
    for (let i = 0; i < losses.length; i++) {
      const l = losses[i]
      if (l < least) least = l
      if (l > most) most = l
      // A loss that is none would vanish in comparisons.
      if (Number.isNaN(l)) most = l
    }
    this.least = least
    this.most = Number.isNaN(this.most) ? this.most : most
    if (!Number.isFinite(least) || !Number.isFinite(most)) return
    this.reach(Math.floor(least * BINS_PER_UNIT), Math.floor(most * BINS_PER_UNIT))
    const { first, sums } = this
    const end = first + sums.length / BIN_POWERS
    for (let i = 0; i < losses.length; i++) {
      const place = losses[i] * BINS_PER_UNIT
      const bin = Math.floor(place)
      if (bin >= end) {
        this.beyond++
        continue
      }
      const u = 2 * (place - bin) - 1
      const at = (bin - first) * BIN_POWERS
      const u2 = u * u
      const u4 = u2 * u2
      sums[at]++
      sums[at + 1] += u
      sums[at + 2] += u2
      sums[at + 3] += u2 * u
      sums[at + 4] += u4
      sums[at + 5] += u4 * u
      sums[at + 6] += u4 * u2
      sums[at + 7] += u4 * u2 * u
    }
  }

  /** Adds losses that were gathered elsewhere. */
  merge({ least, most, first, sums, beyond }: LossBins): void {
    if (least < this.least) this.least = least
    if (!Number.isNaN(this.most) && (most > this.most || Number.isNaN(most))) this.most = most
    this.beyond += beyond
    const bins = sums.length / BIN_POWERS
    if (bins === 0) return
    this.reach(first, first + bins - 1)
    const shift = (first - this.first) * BIN_POWERS
    const room = this.sums.length - shift
    for (let k = 0; k < sums.length; k++) {
      if (k < room) this.sums[shift + k] += sums[k]
      // Too far above the least loss of all.
      else if (k % BIN_POWERS === 0) this.beyond += sums[k]
    }
  }

  /** Makes room for bins from `low` to `high`, as far as they are within the span above the lowest. */
  private reach(low: number, high: number): void {
    const bins = this.sums.length / BIN_POWERS
    const first = bins === 0 ? low : Math.min(low, this.first)
    const last = Math.min(Math.max(high, bins === 0 ? high : this.first + bins - 1), first + SPAN - 1)
    const wide = last - first + 1
    if (first === this.first && wide <= bins) return
    const sums = new Float64Array(wide * BIN_POWERS)
    const shift = this.first - first
    for (let k = 0; k < bins; k++) {
      const from = k * BIN_POWERS
      if (k + shift < wide) sums.set(this.sums.subarray(from, from + BIN_POWERS), (k + shift) * BIN_POWERS)
      // What was within reach of a larger least loss is not any more.
      else this.beyond += this.sums[from]
    }
    this.first = first
    this.sums = sums
  }

  finish(): LossBins {
    const { least, most, first, sums, beyond } = this
    return { least, most, first, sums, beyond }
  }
}
