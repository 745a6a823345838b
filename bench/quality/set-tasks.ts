import { type NamedSet, realSets } from './real-sets.js'
import { refuseUnknown } from './statistics.js'

/** A generated set by its number, or a real one by its name. */
export interface SetTask {
  readonly seed: number
  readonly run: number
  readonly real: string | undefined
}

/** `runs` generated sets and all real ones, or the part that `--only` names. */
export function setTasks(runs: number, seed: number, only: readonly string[]): SetTask[] {
  refuseUnknown(only, ['generated', 'real'])
  const wanted = (part: string): boolean => only.length === 0 || only.includes(part)
  const generated = wanted('generated')
    ? Array.from({ length: runs }, (_, run) => ({ seed, run, real: undefined }))
    : []
  const real = wanted('real') ? realSets().map(({ name }) => ({ seed, run: 0, real: name })) : []
  return [...generated, ...real]
}

/** The set of a task; `generate` makes the one of a seed and number. */
export function setOf(
  { seed, run, real }: SetTask,
  generate: (seed: number, run: number) => NamedSet,
): NamedSet {
  return real === undefined ? generate(seed, run) : realSets().find(({ name }) => name === real)!
}
