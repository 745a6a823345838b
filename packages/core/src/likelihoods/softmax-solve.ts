import type { Problem } from './likelihood.js'
import { firstOrderFit } from './softmax-first-order.js'
import { newtonFit } from './softmax-newton.js'
import type { SoftmaxParams, SoftmaxProblem } from './softmax-problem.js'

/** From so many parameters on a Newton step costs more than the steps of a first-order method that it saves. */
const NEWTON_PARAMETERS = 60
/** Of the value: a promise of a Newton step that makes it the last, as of each step that follows it squares what is left. */
const LAST_STEP = { full: 1e-13, rough: 1e-5 }
/** The gain that is promised, over the value, at which first-order steps end: within a millionth of a standard error. */
const LAST_FIRST_ORDER = 1e-14
/** A start means that a fit is a step of an EM that will move on: a thousandth of a standard error is near enough. */
const ON_THE_WAY = { full: 1e-9, rough: 1e-6 }

export interface SoftmaxFit {
  readonly beta: Float64Array
  readonly value: number
  readonly problem: Problem | undefined
}

export type SoftmaxMethod = 'newton' | 'first-order'

/**
 * The weighted fit by Newton's method, or by L-BFGS where parameters are many: the better of the fits from a start and, where that
 * ran into trouble, from the origin, which never stalls Newton.
 */
export function solveSoftmax(
  problem: SoftmaxProblem,
  start: SoftmaxParams | undefined,
  accuracy: 'full' | 'rough' = 'full',
  method: SoftmaxMethod = (problem.K - 1) * problem.wide > NEWTON_PARAMETERS ? 'first-order' : 'newton',
): SoftmaxFit {
  if (method === 'first-order')
    return start === undefined
      ? firstOrderFit(problem, problem.origin(), LAST_FIRST_ORDER)
      : firstOrderFit(problem, problem.pack(start), ON_THE_WAY[accuracy], 'near')
  const first = newtonFit(
    problem,
    start === undefined ? problem.origin() : problem.pack(start),
    LAST_STEP[accuracy],
  )
  if (start === undefined || first.problem === undefined) return first
  const second = newtonFit(problem, problem.origin(), LAST_STEP[accuracy])
  return second.value < first.value ? second : first
}
