import { flagName, type OptionsOf, readFlags } from '../terminal/flags.js'
import { readingFlags } from '../terminal/reading-flags.js'
import { UsageError } from '../terminal/usage.js'
import { type PredictFlags, predictFlags } from './flags.js'

export type PredictOptions = OptionsOf<typeof predictFlags>

/** A model in ONNX is a network, for images; any other one is for tables. */
export function isNetwork(model: string): boolean {
  return model.toLowerCase().endsWith('.onnx')
}

/** Everything that can be wrong with a command line by itself is found here, before any file is opened. */
export function predictOptions(model: string, files: readonly string[], flags: PredictFlags): PredictOptions {
  const options = readFlags(predictFlags, flags)
  const { split, strict, keep, intervals } = options
  if (!isNetwork(model) && split !== undefined) throw new UsageError('--split', 'is for networks', split)
  for (const [key, ofTables] of Object.entries({ table: predictFlags.table, ...readingFlags })) {
    const given = flags[key as keyof PredictFlags]
    if (isNetwork(model) && given !== undefined)
      throw new UsageError(flagName(key, ofTables), 'is for models of tables', given)
  }
  if (isNetwork(model) && files.length > 1)
    throw new UsageError('rlvi predict', 'one folder or data set is needed', files)
  if (isNetwork(model) && strict) throw new UsageError('--strict', 'is for models of tables', model)
  if (isNetwork(model) && keep) throw new UsageError('--keep', 'is for models of tables', model)
  if (isNetwork(model) && intervals) throw new UsageError('--intervals', 'is for models of tables', model)
  return options
}
