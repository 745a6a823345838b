/** As many parts as an array has; those that are shown are hundreds of these each. */
const SIZE = 4096
/** Beyond it, its product with a number is none. */
const FINEST = 2 ** 1000

/**
 * How many values lie where, counted in one go, before anybody knows how far they reach. Parts are as wide as a power of two
 * and begin at its multiples: where a value lies outside, two parts become one, and nothing is counted wrong.
 */
export class FineBins {
  #counts = new Float64Array(SIZE)
  /** One over the width of a part. */
  #scale = FINEST
  /** The number of the first part, counted from the one that begins at 0. */
  #base = 0
  #low = Number.POSITIVE_INFINITY
  #high = Number.NEGATIVE_INFINITY

  /** @param first - finite values, which say where the parts lie at first */
  constructor(first: Float64Array) {
    let [low, high] = [this.#low, this.#high]
    for (let i = 0; i < first.length; i++) {
      const value = first[i]!
      if (value < low) low = value
      if (value > high) high = value
    }
    this.#low = low
    this.#high = high
    this.#widen()
    this.add(first)
  }

  /** The finite ones of some values. */
  add(values: Float64Array): void {
    const rows = values.length
    for (let i = 0; i < rows; ) {
      // In variables of its own, a loop over millions takes half of the time.
      const [counts, scale, base] = [this.#counts, this.#scale, this.#base]
      for (; i < rows; i++) {
        const at = Math.floor(values[i]! * scale) - base
        if (at >= 0 && at < SIZE) counts[at]!++
        else if (Number.isFinite(values[i]!)) break
      }
      if (i < rows) {
        this.#reach(values[i]!)
        this.#widen()
      }
    }
  }

  #reach(value: number): void {
    if (value < this.#low) this.#low = value
    if (value > this.#high) this.#high = value
  }

  /** Until the whole range takes a quarter of the parts, which then lie in the middle. */
  #widen(): void {
    const [counts, scale, base] = [this.#counts, this.#scale, this.#base]
    const first = (): number => Math.floor(this.#low * this.#scale)
    const span = (): number => Math.floor(this.#high * this.#scale) - first()
    // Of what is too large to be counted in parts so fine, the span is no number.
    while (!(span() < SIZE / 4)) this.#scale /= 2
    this.#base = first() - Math.floor((SIZE - span()) / 2)
    this.#counts = new Float64Array(SIZE)
    const fewer = this.#scale / scale
    for (let at = 0; at < SIZE; at++)
      if (counts[at]! > 0) this.#counts[Math.floor((at + base) * fewer) - this.#base]! += counts[at]!
  }

  /** The counts in equal parts of a range that holds all values: each of ours goes where it begins. */
  between(low: number, high: number, parts: number): number[] {
    const out = new Array<number>(parts).fill(0)
    // The width of the range may be too large for a number.
    const half = Number.isFinite(high - low) ? 1 : 0.5
    const wide = (half * high - half * low) / parts
    for (let at = 0; at < SIZE; at++) {
      if (this.#counts[at] === 0) continue
      const begin = Math.min(Math.max((at + this.#base) / this.#scale, low), high)
      const part = wide > 0 ? Math.floor((half * begin - half * low) / wide) : 0
      out[Math.min(part, parts - 1)]! += this.#counts[at]!
    }
    return out
  }
}
