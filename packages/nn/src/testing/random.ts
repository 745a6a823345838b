import { seeded } from 'rlvi/random'

/** A seeded source of numbers in [0, 1) and what tests make of it. */
export class TestRandom {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seeded('test', seed)
  }

  uniform(low = 0, high = 1): number {
    return low + (high - low) * this.#next()
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.min(high, Math.floor(this.uniform(low, high + 1)))
  }

  pick<T>(items: readonly T[]): T {
    return items[this.whole(0, items.length - 1)]
  }

  uniforms(size: number, low: number, high: number): Float64Array {
    return Float64Array.from({ length: size }, () => this.uniform(low, high))
  }

  /**
   * Numbers around 0 that are at least 0.05 apart and from 0, in random order: none is near a kink of relu, abs or a
   * maximum, where a difference quotient would say nothing.
   */
  spread(size: number): Float64Array {
    const values = Float64Array.from(
      { length: size },
      (_, i) => (i - (size - 1) / 2) * 0.1 + this.uniform(0, 0.02),
    )
    for (let i = 0; i < size; i++) {
      if (Math.abs(values[i]) < 0.05) values[i] = 0.05 * (values[i] < 0 ? -1 : 1)
      const j = this.whole(0, i)
      ;[values[i], values[j]] = [values[j], values[i]]
    }
    return values
  }
}
