import { runTasks, type ThreadOptions } from '../runs/threads.js'
import { type Summary, summarise } from '../shared/summary.js'
import { problems } from './problems/index.js'
import type { MethodName } from './problems/problem.js'
import type { SyntheticTask } from './simulate.js'

/** One line of the results: a method on a problem at a level. */
export interface ExperimentRecord extends Summary {
  readonly problem: string
  readonly epsilon: number
  readonly method: MethodName
  readonly variant: string
}

/** The errors of one computation, under all of its names. */
export interface MethodRuns {
  readonly problem: string
  readonly rows: number
  readonly epsilon: number
  readonly method: MethodName
  readonly variants: readonly string[]
  readonly epsilonTilde: number | undefined
  readonly diagnostic: boolean
  readonly errors: Float64Array
  readonly summary: Summary
}

/** A problem at a level. */
export interface Setting {
  readonly problem: string
  readonly epsilon: number
}

const CHUNK = 25

/** Does the runs of all settings, spread over the cores. */
export async function runSettings(
  settings: readonly Setting[],
  options: ThreadOptions & {
    readonly runs: number
    readonly seed: number
    readonly without?: readonly MethodName[]
  },
): Promise<MethodRuns[]> {
  const { runs, seed, without } = options
  const tasks: SyntheticTask[] = settings.flatMap(({ problem, epsilon }) =>
    Array.from({ length: Math.ceil(runs / CHUNK) }, (_, k) => ({
      kind: 'synthetic',
      problem,
      epsilon,
      seed,
      ...(without === undefined ? {} : { without }),
      first: k * CHUNK,
      last: Math.min((k + 1) * CHUNK, runs),
    })),
  )
  const results = await runTasks(tasks, options)
  return settings.flatMap(({ problem, epsilon }) => {
    const chunks = results.filter((_, k) => tasks[k]?.problem === problem && tasks[k]?.epsilon === epsilon)
    return collect(problem, epsilon, chunks)
  })
}

function collect(name: string, epsilon: number, chunks: readonly Float64Array[]): MethodRuns[] {
  const problem = problems.get(name)
  if (problem === undefined) return []
  const count = problem.methods.length
  const all = chunks.flatMap((chunk) => Array.from(chunk))
  return problem.methods.map(({ method, variants, epsilonTilde, diagnostic = false }, k) => {
    const errors = Float64Array.from(all.filter((_, at) => at % count === k))
    const { rows } = problem
    const summary = summarise(errors)
    return { problem: name, rows, epsilon, method, variants, epsilonTilde, diagnostic, errors, summary }
  })
}

/** A record for every name of every computation. */
export function recordsOf(all: readonly MethodRuns[]): ExperimentRecord[] {
  return all.flatMap(({ problem, epsilon, method, variants, summary }) =>
    variants.map((variant) => ({ problem, epsilon, method, variant, ...summary })),
  )
}
