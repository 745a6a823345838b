import { flagName, type OptionsOf, readFlags } from '../terminal/flags.js'
import { oneOf, UsageError } from '../terminal/usage.js'
import { checkExecutor } from '../train/options.js'
import { networkOnly, type ReproduceFlags, reproduceFlags } from './flags.js'
import { networkExperiments, onData, tableExperiments } from './names.js'

export interface ReproduceOptions extends OptionsOf<typeof reproduceFlags> {
  readonly experiment: (typeof tableExperiments)[number] | (typeof networkExperiments)[number]
  /** Whether it trains networks. */
  readonly networks: boolean
}

/** Everything that can be wrong with a command line by itself is found here, before the experiment is loaded. */
export function reproduceOptions(name: string, flags: ReproduceFlags): ReproduceOptions {
  const experiment = oneOf('EXPERIMENT', name, [...tableExperiments, ...networkExperiments])
  const networks = networkExperiments.some((other) => other === experiment)
  const options = readFlags(reproduceFlags, flags)
  if (networks) {
    checkExecutor(options)
    if (options.parallel !== undefined && options.executor !== 'cuda') {
      const todo = 'add --executor cuda, or leave it out'
      throw new UsageError('--parallel', 'is for --executor cuda', String(options.parallel), todo)
    }
    return { ...options, experiment, networks }
  }
  for (const [key, flag] of Object.entries(networkOnly)) {
    if (flags[key as keyof typeof networkOnly] !== undefined)
      throw new UsageError(flagName(key, flag), 'only for experiments with networks', name, 'leave it out')
  }
  if (options.data !== undefined && !onData.includes(name))
    throw new UsageError('--data', `only for ${onData.join(', ')}`, name, 'leave it out')
  return { ...options, experiment, networks }
}
