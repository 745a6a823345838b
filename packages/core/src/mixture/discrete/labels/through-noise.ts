import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { EmOptions } from '../em.js'
import type { Classed } from './labelled.js'
import { posteriorOf } from './noise.js'

/** Less of a row than this is not worth a place. */
const NEGLIGIBLE = 1e-5

/** A model of the true classes, seen through a matrix of P(given y | true c). */
export interface ThroughNoise<P> {
  readonly params: P
  /** P(true class | features, given label). */
  readonly posterior: Matrix
  /** Log-likelihood of the given labels less the model's own penalty. */
  readonly value: number
  readonly converged: boolean
}

/** EM from a start: P(true class) of each row, then a fit to all classes that a row may have. */
export function fitThroughNoise<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  start: P,
  T: Matrix,
  { maxIterations, tolerance }: Pick<EmOptions, 'maxIterations' | 'tolerance'>,
): ThroughNoise<P> {
  const given = likelihood.classes.given(data)
  let params = start
  let value = Number.NEGATIVE_INFINITY
  for (let k = 0; ; k++) {
    const { posterior, logs } = posteriorOf(likelihood.classes.probabilities(data, params), given, T)
    const now = logs.reduce((sum, log) => sum + log, 0) - (likelihood.prior?.penalty(params) ?? 0)
    const gain = now - value
    value = now
    const converged = k > 0 && gain < tolerance
    if (converged || k + 1 >= maxIterations) return { params, posterior, value, converged }
    params = fitToClasses(likelihood, data, posterior, T, params)
  }
}

/**
 * The fit to rows by P(true class). What a label has in common under all classes says nothing of the class, and takes
 * no part: of uniform noise the given label alone is left, weighed by P(not random).
 */
export function fitToClasses<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  posterior: Matrix,
  T: Matrix,
  start: P,
): P {
  const K = T.cols
  const given = likelihood.classes.given(data)
  const common = Array.from({ length: K }, (_, y) =>
    Math.min(...Array.from({ length: K }, (_, c) => T.values[c * K + y])),
  )
  const rows: number[] = []
  const classes: number[] = []
  const weights: number[] = []
  for (let i = 0; i < posterior.rows; i++) {
    for (let c = 0; c < K; c++) {
      const said = T.values[c * K + given[i]]
      const weight = said === 0 ? 0 : posterior.values[i * K + c] * (1 - common[given[i]] / said)
      if (weight < NEGLIGIBLE) continue
      rows.push(i)
      classes.push(c)
      weights.push(weight)
    }
  }
  const expanded = likelihood.classes.labelled(data, rows, Float64Array.from(classes))
  return likelihood.fit(expanded, Float64Array.from(weights), start)
}
