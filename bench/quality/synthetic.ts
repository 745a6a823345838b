import { covarianceProblem, type Definition, linearProblem, logisticProblem, pcaProblem } from '@rlvi/paper'
import { draws } from 'rlvi/random'
import { pieces, workOff } from './pool.js'

/** The paper's standard problems with the calibrated method beside the others, on the lab's data. */
const contests = [
  contestants(linearProblem(2.5)),
  contestants(linearProblem(1.5)),
  contestants(logisticProblem(100)),
  contestants(logisticProblem(200)),
  contestants(pcaProblem),
  contestants(covarianceProblem),
]

/** Hides a problem's kind of data. */
function contestants<Data>(problem: Definition<Data>) {
  const shown = problem.methods.filter(({ diagnostic }) => diagnostic !== true)
  const rivals = shown.filter(({ method }) => method !== 'calibrated')
  const all = [...rivals, ...shown.filter(({ method }) => method === 'calibrated')]
  return {
    problem: problem.name,
    names: all.map(({ method, variants }) => `${method} ${variants.join(' = ')}`),
    errors(seed: number, epsilon: number, run: number): number[] {
      const data = problem.generate(draws(seed, problem.name, epsilon, run), epsilon)
      return all.map(({ error }) => error(data))
    },
  }
}

function contestOf(name: string) {
  const found = contests.find(({ problem }) => problem === name)
  if (found === undefined) throw new Error(`no problem is called ${name}`)
  return found
}

interface Task {
  readonly problem: string
  readonly epsilon: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

/** The errors of each run, a list for each. */
export function work({ problem, epsilon, seed, first, last }: Task): number[][] {
  const { errors } = contestOf(problem)
  return Array.from({ length: last - first }, (_, k) => errors(seed, epsilon, first + k))
}

/** The errors of one method at one level, run by run. */
export interface Column {
  readonly name: string
  readonly errors: readonly number[]
}

export interface Level {
  readonly epsilon: number
  readonly rivals: readonly Column[]
  readonly calibrated: Column
}

/** Does the runs of a problem at all levels. */
export async function contest(
  problem: string,
  epsilons: readonly number[],
  options: { readonly runs: number; readonly seed: number },
): Promise<Level[]> {
  const { runs, seed } = options
  const { names } = contestOf(problem)
  const parts = pieces(runs, 25)
  const tasks = epsilons.flatMap((epsilon) => parts.map((part) => ({ problem, epsilon, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  return epsilons.map((epsilon, k) => {
    const all = results.slice(k * parts.length, (k + 1) * parts.length).flat()
    const columns = names.map((name, j) => ({ name, errors: all.map((errors) => errors[j]) }))
    return { epsilon, rivals: columns.slice(0, -1), calibrated: columns.at(-1)! }
  })
}

/** The methods as the paper ran them, or without the released code's slips where it has any. */
export function variant(rivals: readonly Column[], which: 'released' | 'corrected'): readonly Column[] {
  const method = ({ name }: Column): string => name.split(' ')[0]
  return rivals.filter(
    (rival) =>
      rival.name.includes(which) ||
      !rivals.some((other) => method(other) === method(rival) && other.name.includes(which)),
  )
}
