import type { Draws } from 'rlvi/random'

/** A method, by the paper's name for it; `calibrated`, which is not in the paper, is this library's `fit`. */
export type MethodName = 'ML' | 'Huber' | 'SEVER' | 'RRM' | 'RLVI' | 'calibrated'

/** A method as one experiment runs it. */
export interface Method<Data> {
  readonly method: MethodName
  /**
   * `released` is the authors' code with its slips, `corrected` is what the paper says; other names are explained where
   * they are defined. Several names where the slips change the computation, but not its result.
   */
  readonly variants: readonly string[]
  /** The level that the method assumes, an upper bound on the share of bad rows. */
  readonly epsilonTilde?: number
  /** Neither in the paper nor in the released code: tables show it, figures do not. */
  readonly diagnostic?: boolean
  /** The estimate's error on this data; NaN where the method could not give one. */
  readonly error: (data: Data) => number
}

/** What the definition of a problem holds. */
export interface Definition<Data> {
  readonly name: string
  readonly rows: number
  /** Data of which Binomial(rows, epsilon) rows are bad; the good ones come first. */
  readonly generate: (random: Draws, epsilon: number) => Data
  readonly methods: ReadonlyArray<Method<Data>>
}

/** A problem whose kind of data is its own affair. */
export interface SyntheticProblem {
  readonly name: string
  readonly rows: number
  readonly methods: ReadonlyArray<Omit<Method<never>, 'error'>>
  /** Fresh data, and the error of each method on it; NaN for methods that nobody asks for. */
  errors(random: Draws, epsilon: number, without?: readonly MethodName[]): Float64Array
}

export function syntheticProblem<Data>(definition: Definition<Data>): SyntheticProblem {
  const { name, rows, methods, generate } = definition
  return {
    name,
    rows,
    methods,
    errors(random, epsilon, without = []) {
      const data = generate(random, epsilon)
      return Float64Array.from(methods, ({ method, error }) =>
        without.includes(method) ? Number.NaN : error(data),
      )
    },
  }
}

/** |estimate - truth| / |truth|, entry by entry: Frobenius for matrices. */
export function relativeError(estimate: ArrayLike<number>, truth: readonly number[]): number {
  let gap = 0
  let size = 0
  truth.forEach((value, j) => {
    gap += ((estimate[j] ?? Number.NaN) - value) ** 2
    size += value ** 2
  })
  return Math.sqrt(gap / size)
}
