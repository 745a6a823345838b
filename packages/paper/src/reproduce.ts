import { RlviError } from 'rlvi'
import { onlineExperiments } from './online/experiments.js'
import { reproduceOnline } from './online/reproduce.js'
import type { ReproduceOptions, Reproduction } from './reproduction.js'
import { reproduceStreams } from './streams/reproduce.js'
import { standardExperiments } from './synthetic/experiments.js'
import { reproduceStandard } from './synthetic/reproduce.js'

type Runner = (options: ReproduceOptions) => Promise<Reproduction>

const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ...[...standardExperiments].map(
    ([name, experiment]) =>
      [name, (options: ReproduceOptions) => reproduceStandard(experiment, options)] as const,
  ),
  ...[...onlineExperiments].map(
    ([name, experiment]) =>
      [name, (options: ReproduceOptions) => reproduceOnline(experiment, options)] as const,
  ),
  ['streams', reproduceStreams],
])

export const experiments: readonly string[] = [...runners.keys()]

/** Those that read the user's data, where given. */
export const experimentsOnData: readonly string[] = [...onlineExperiments.keys(), 'streams']

/** Runs an experiment of the paper, or one beyond it (`streams`). */
export async function reproduce(name: string, options: ReproduceOptions): Promise<Reproduction> {
  const run = runners.get(name)
  if (run === undefined) {
    throw new RlviError('reproduce', `the experiment must be one of ${experiments.join(', ')}`, name)
  }
  return run(options)
}
