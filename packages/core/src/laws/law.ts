import type { Params } from '../likelihoods/likelihood.js'
import { type Draws, draws } from '../random/draws.js'

/** A law that holds or does not, for any test runner: `for (const { name, check } of laws) it(name, check)`. */
export interface Law {
  readonly name: string
  /** Throws an `Error` that names the law, the numbers that break it, and the sample on which they do. */
  check(): void
}

/** What the laws need to know of a likelihood beyond its members. */
export interface LikelihoodCases<D, P extends Params> {
  /** Some data, a part of it corrupted. */
  sample(random: Draws): D
  /** The rows whose numbers are listed, repeats allowed. */
  take(data: D, rows: ArrayLike<number>): D
  /** All free numbers that `losses` depends on and `fit` chooses. */
  free(params: P): Float64Array
  /** The parameters with those numbers. */
  withFree(params: P, free: Float64Array): P
  /** For losses whose scale is not minimised over (the paper's form): the same parameters at a held scale. */
  holdScale?(params: P, held: P): P
  /** Whether `gradients` are by `free`, entry for entry. */
  readonly gradientsByFree?: boolean
}

/** A law that must hold on each of `samples` draws. */
export function law(name: string, samples: number, holds: (random: Draws) => void): Law {
  return {
    name,
    check() {
      for (let k = 0; k < samples; k++) {
        try {
          holds(draws('laws', name, k))
        } catch (error) {
          const what = error instanceof Error ? error.message : String(error)
          throw new Error(`${name}: ${what} (sample ${k})`, { cause: error })
        }
      }
    },
  }
}
