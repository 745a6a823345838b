import { draws } from 'rlvi/random'
import { problems } from './problems/index.js'
import type { MethodName } from './problems/problem.js'

/** Some of the runs of a problem at a level. */
export interface SyntheticTask {
  readonly kind: 'synthetic'
  readonly problem: string
  readonly epsilon: number
  readonly seed: number
  /** Methods that need not be run. */
  readonly without?: readonly MethodName[]
  /** Runs first, first + 1, …, last - 1. */
  readonly first: number
  readonly last: number
}

/** The errors of all methods, run by run; NaN where a method gave no estimate. */
export function simulate(task: SyntheticTask): Float64Array {
  const problem = problems.get(task.problem)
  if (problem === undefined) throw new Error(`simulate: no problem is called ${JSON.stringify(task.problem)}`)
  const out = new Float64Array((task.last - task.first) * problem.methods.length)
  for (let run = task.first, at = 0; run < task.last; run++, at += problem.methods.length) {
    out.set(problem.errors(draws(task.seed, task.problem, task.epsilon, run), task.epsilon, task.without), at)
  }
  return out
}
