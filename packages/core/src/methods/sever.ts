import { checkBetween } from '../check.js'
import { RlviError } from '../errors.js'
import { allFinite } from '../kernels/finite.js'
import { columnSums, gram } from '../kernels/gram.js'
import type { Differentiable } from '../likelihoods/capabilities.js'
import type { Params } from '../likelihoods/likelihood.js'
import { ones } from '../likelihoods/shared.js'
import { symmetricEigen } from '../linalg/eigen.js'
import type { Matrix } from '../matrix.js'
import { type Fit, notFinite, statusOf } from '../result.js'

/** Options of `sever`. */
export interface SeverOptions<P> {
  /** The assumed share of bad rows, an upper bound: every round drops half of it. */
  readonly assumed: number
  /** Fits, with a removal between any two. Default 4. */
  readonly rounds?: number
  /** Used in place of the first fit. */
  readonly start?: P
}

/**
 * SEVER (Diakonikolas et al. 2019) as the paper's benchmark runs it: fit, project every row's gradient on the direction
 * in which the gradients vary most, drop the rows that reach farthest, and fit again. (The authors' released code takes
 * a wrong direction, made of the signs of LAPACK's singular vectors: that variant is in @rlvi/paper, `severAsReleased`.)
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 3, 5.1, 7, 8.9, 90) }
 * sever(linear(), data, { assumed: 0.4 }).clean // 0 for rows that were dropped
 */
export function sever<D, P extends Params>(
  likelihood: Differentiable<D, P>,
  data: D,
  options: SeverOptions<P>,
): Fit<P> {
  likelihood.check(data)
  checkBetween('sever assumed', options.assumed, 0, 1)
  if (likelihood.gradients === undefined) {
    throw new RlviError('sever', 'a likelihood with gradients is needed', likelihood.name)
  }
  const n = likelihood.rows(data)
  const rounds = options.rounds ?? 4
  const clean = ones(n)
  let active = n
  let params = options.start ?? likelihood.fit(data)
  for (let round = 1; round < rounds; round++) {
    const gradients = likelihood.gradients(data, params)
    const direction = topDirection(gradients, clean, active)
    if (direction === undefined) break
    active -= dropFarthest(gradients, direction, clean, Math.floor((options.assumed / 2) * active))
    params = likelihood.fit(data, clean)
  }
  const losses = new Float64Array(n)
  likelihood.losses(data, params, losses)
  return {
    params,
    clean,
    losses,
    corruption: { level: 1 - active / n, interval: undefined, source: 'assumed' },
    status: statusOf(params, allFinite(losses) ? { kind: 'converged' } : notFinite),
    iterations: rounds,
    trace: [],
  }
}

/** Mean gradient of the rows still in, and the direction in which they vary most about it. */
interface Direction {
  readonly mean: Float64Array
  readonly along: Float64Array
}

/** Undefined of an exact fit, whose scale is 0: its gradients, or their squares, are no numbers to drop rows by. */
function topDirection(gradients: Matrix, clean: Float64Array, active: number): Direction | undefined {
  const d = gradients.cols
  const mean = new Float64Array(d)
  columnSums(gradients, clean, mean)
  for (let j = 0; j < d; j++) mean[j] /= active
  const scatter = new Float64Array(d * d)
  gram(gradients, mean, clean, clean, scatter, new Float64Array(d))
  if (!allFinite(scatter)) return undefined
  return { mean, along: symmetricEigen(scatter, d).vectors.slice(0, d) }
}

/** Projections that differ by less are the same but for rounding. */
const TIE = 1e-9

/**
 * Drops (clean = 0) the `count` rows with the largest squared projection; returns how many. Of rows that tie at that place
 * some would go and some stay by their order in the file: they stay.
 */
function dropFarthest(gradients: Matrix, direction: Direction, clean: Float64Array, count: number): number {
  const { rows, cols, values } = gradients
  const candidates: number[] = []
  const scores = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    if (clean[i] === 0) continue
    let along = 0
    for (let j = 0; j < cols; j++) along += (values[i * cols + j] - direction.mean[j]) * direction.along[j]
    scores[i] = along * along
    candidates.push(i)
  }
  candidates.sort((a, b) => scores[b] - scores[a])
  const last = scores[candidates[count]] ?? 0
  let dropped = 0
  for (; dropped < count && scores[candidates[dropped]] > (1 + TIE) * last; dropped++)
    clean[candidates[dropped]] = 0
  return dropped
}
