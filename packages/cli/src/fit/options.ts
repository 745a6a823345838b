import { checkFitOptions } from '@rlvi/estimator'
import { flagWords } from '../table/flag-words.js'
import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { UsageError } from '../terminal/usage.js'
import { type FitFlags, fitFlags } from './flags.js'

export interface FitOptions extends Omit<OptionsOf<typeof fitFlags>, 'assume'> {
  /** The largest share of bad rows that a method is to assume. */
  readonly assumed: number | undefined
}

/** Everything that can be wrong with a command line by itself is found here, before any file is opened. */
export function fitOptions(flags: FitFlags): FitOptions {
  const { assume: assumed, ...rest } = readFlags(fitFlags, flags)
  const options = { ...rest, assumed }
  checkFitOptions(options, flagWords(''))
  if (options.keep && options.rows === undefined)
    throw new UsageError('--keep', 'is for --rows', '--keep', 'give --rows FILE too')
  return options
}
