import { type Draws, draws } from '../random/draws.js'

/** A seeded source of numbers, and what tests make of it. */
export class TestRandom {
  readonly #draws: Draws

  constructor(seed: number) {
    this.#draws = draws('test', seed)
  }

  uniform(): number {
    return this.#draws.uniform(0, 1)
  }

  normal(): number {
    return this.#draws.normal()
  }

  below(n: number): number {
    return Math.floor(this.uniform() * n)
  }

  /** A random order of 0 .. n - 1. */
  order(n: number): Int32Array {
    const list = Int32Array.from({ length: n }, (_, i) => i)
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const other = list[j]
      list[j] = list[i]
      list[i] = other
    }
    return list
  }
}
