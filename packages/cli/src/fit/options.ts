import { checkFitOptions } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import { flagWords } from '../table/flag-words.js'
import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { UsageError } from '../terminal/usage.js'
import { type FitFlags, fitFlags } from './flags.js'

export interface FitOptions extends Omit<OptionsOf<typeof fitFlags>, 'assume' | 'engine'> {
  /** The largest share of bad rows that a method is to assume. */
  readonly assumed: number | undefined
}

/** Everything that can be wrong with a command line by itself is found here, before any file is opened. */
export function fitOptions(flags: FitFlags): FitOptions {
  const { assume: assumed, engine, ...rest } = readFlags(fitFlags, flags)
  const options = { ...rest, assumed }
  checkFitOptions(options, flagWords(''))
  if (options.keep && options.rows === undefined)
    throw new UsageError('--keep', 'is for --rows', '--keep', 'give --rows FILE too')
  if (engine === 'clickhouse') {
    throw new RlviError('--engine', 'this engine is not there yet', engine, 'use --engine duckdb')
  }
  return options
}
