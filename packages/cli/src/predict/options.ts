import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { UsageError } from '../terminal/usage.js'
import { type PredictFlags, predictFlags } from './flags.js'

export type PredictOptions = OptionsOf<typeof predictFlags>

/** A model in ONNX is a network, for images; any other one is for tables. */
export function isNetwork(model: string): boolean {
  return model.toLowerCase().endsWith('.onnx')
}

/** Everything that can be wrong with a command line by itself is found here, before any file is opened. */
export function predictOptions(model: string, flags: PredictFlags): PredictOptions {
  const options = readFlags(predictFlags, flags)
  const { split, table, strict, keep, intervals } = options
  if (!isNetwork(model) && split !== undefined) throw new UsageError('--split', 'is for networks', split)
  if (isNetwork(model) && table !== undefined)
    throw new UsageError('--table', 'is for models of tables', table)
  if (isNetwork(model) && strict) throw new UsageError('--strict', 'is for models of tables', model)
  if (isNetwork(model) && keep) throw new UsageError('--keep', 'is for models of tables', model)
  if (isNetwork(model) && intervals) throw new UsageError('--intervals', 'is for models of tables', model)
  return options
}
