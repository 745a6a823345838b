import { Sketch } from './sketch.js'

/** With more different texts than this a column is no set of categories. */
const MOST_TEXTS = 5000

/** A column of texts as their hashes come by: whole numbers below 2^53. */
export class TextTally {
  there: number = 0
  /** How often each hash occurs, where they are not too many. */
  counts: Map<number, number> | undefined = new Map()
  #sketch = new Sketch()

  add(hashes: Float64Array, rows: number): void {
    for (let i = 0; i < rows; i++) {
      const hash = hashes[i]!
      if (Number.isNaN(hash)) continue
      this.there++
      const { counts } = this
      if (counts === undefined) {
        this.#sketch.add(hash)
        continue
      }
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
      if (counts.size > MOST_TEXTS) {
        for (const seen of counts.keys()) this.#sketch.add(seen)
        this.counts = undefined
      }
    }
  }

  /** How many different texts there are; about, where they are too many to count. */
  get distinct(): number {
    return this.counts?.size ?? Math.max(MOST_TEXTS + 1, this.#sketch.distinct)
  }
}
