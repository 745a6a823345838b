import { RlviError } from 'rlvi'
import { onlineExperiments } from './online/experiments.js'
import { reproduceOnline } from './online/reproduce.js'
import type { OnlineRecord } from './online/results/records.js'
import type { ReproduceOptions, Reproduction } from './shared/reproduction.js'
import type { StreamRecord } from './streams/records.js'
import { reproduceStreams } from './streams/reproduce.js'
import { syntheticExperiments } from './synthetic/experiments.js'
import type { ExperimentRecord } from './synthetic/records.js'
import { reproduceSynthetic } from './synthetic/reproduce.js'

/** A line of an experiment's results. */
export type ReproductionRecord = ExperimentRecord | OnlineRecord | StreamRecord

type Runner = (options: ReproduceOptions) => Promise<Reproduction<ReproductionRecord>>

const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ...[...syntheticExperiments].map(
    ([name, experiment]) =>
      [name, (options: ReproduceOptions) => reproduceSynthetic(experiment, options)] as const,
  ),
  ...[...onlineExperiments].map(
    ([name, experiment]) =>
      [name, (options: ReproduceOptions) => reproduceOnline(experiment, options)] as const,
  ),
  ['streams', reproduceStreams],
])

/** The names of the experiments without networks. */
export const experiments: readonly string[] = [...runners.keys()]

/** Those that read the user's data, where given. */
export const experimentsOnData: readonly string[] = [...onlineExperiments.keys(), 'streams']

/** Runs an experiment of the paper, or one beyond it (`streams`). */
export async function reproduce(
  name: string,
  options: ReproduceOptions,
): Promise<Reproduction<ReproductionRecord>> {
  const run = runners.get(name)
  if (run === undefined) {
    throw new RlviError('reproduce', `the experiment must be one of ${experiments.join(', ')}`, name)
  }
  return run(options)
}
