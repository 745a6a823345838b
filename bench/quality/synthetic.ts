import {
  covarianceProblem,
  type Definition,
  linearProblem,
  logisticProblem,
  pcaProblem,
  relativeError,
} from '@rlvi/paper'
import { covariance, fit, linear, logistic, pca, type Supervised, type Unsupervised } from 'rlvi'
import { draws } from 'rlvi/random'
import { pieces, workOff } from './pool.js'

/** The paper's standard problems with the calibrated method beside the others, on the lab's data. */

interface Contest<Data> {
  readonly problem: Definition<Data>
  readonly calibrated: (data: Data) => number
}

const ones: readonly number[] = new Array<number>(10).fill(1)
const plane = [-1, 1, 1]

function angle(a: ArrayLike<number>, b: readonly number[]): number {
  const inner = b.reduce((sum, value, j) => sum + value * a[j], 0)
  const cosine = inner / (Math.hypot(...Array.from(a)) * Math.hypot(...b))
  return (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI
}

// The models are those that the lab gives to every method.
const line = linear({ intercept: false })
const boundary = logistic({ intercept: false, ridge: 0.01 })
const direction = pca({ centre: false })
const ellipse = covariance()

const linearContest = (degrees: number): Contest<Supervised> => ({
  problem: linearProblem(degrees),
  calibrated: (data) => relativeError(fit(line, data).params.coefficients, ones),
})
const logisticContest = (rows: number): Contest<Supervised> => ({
  problem: logisticProblem(rows),
  calibrated: (data) => angle(fit(boundary, data).params.coefficients, plane),
})
const pcaContest: Contest<Unsupervised> = {
  problem: pcaProblem,
  calibrated(data) {
    const [a, b] = fit(direction, data).params.components.values
    return 1 - Math.abs(a + 2 * b) / Math.sqrt(5)
  },
}
const covarianceContest: Contest<Unsupervised> = {
  problem: covarianceProblem,
  calibrated: (data) => relativeError(fit(ellipse, data).params.covariance.values, [1, 0.8, 0.8, 1]),
}

const contests = [
  contestants(linearContest(2.5)),
  contestants(linearContest(1.5)),
  contestants(logisticContest(100)),
  contestants(logisticContest(200)),
  contestants(pcaContest),
  contestants(covarianceContest),
]

/** Hides a problem's kind of data. */
function contestants<Data>({ problem, calibrated: error }: Contest<Data>) {
  const rivals = problem.methods.filter(({ diagnostic }) => diagnostic !== true)
  return {
    problem: problem.name,
    names: [...rivals.map(({ method, variants }) => `${method} ${variants.join(' = ')}`), 'calibrated'],
    errors(seed: number, epsilon: number, run: number): number[] {
      const data = problem.generate(draws(seed, problem.name, epsilon, run), epsilon)
      return [...rivals.map((rival) => rival.error(data)), error(data)]
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
