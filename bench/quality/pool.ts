import { performAll } from '@rlvi/paper/pool'

/** The results of all tasks by the `work` that the module at `url` exports, in their order, two at a time. */
export function workOff<Task, Result>(
  url: string,
  work: (task: Task) => Result,
  tasks: readonly Task[],
): Promise<Result[]> {
  return performAll({ module: url, name: 'work', call: work }, tasks, { threads: 2 })
}

/** Runs 0 … runs - 1 cut into pieces of `size`. */
export function pieces(runs: number, size: number): Array<{ first: number; last: number }> {
  return Array.from({ length: Math.ceil(runs / size) }, (_, k) => ({
    first: k * size,
    last: Math.min((k + 1) * size, runs),
  }))
}
