import { checkMethod, supervisedModels } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import { flagWords } from '../table/flag-words.js'
import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { checkColumns } from '../terminal/shared-flags.js'
import { UsageError } from '../terminal/usage.js'
import { type FitFlags, fitFlags } from './flags.js'

export type { FitFlags } from './flags.js'

type Read = OptionsOf<typeof fitFlags>

export interface FitOptions extends Omit<Read, 'assume' | 'components' | 'engine'> {
  readonly components: number
  /** The largest share of bad rows that a method is to assume. */
  readonly assumed: number | undefined
}

/** Everything that can be wrong with a command line by itself is found here, before any file is opened. */
export function fitOptions(flags: FitFlags): FitOptions {
  const { assume: assumed, components, engine, ...rest } = readFlags(fitFlags, flags)
  checkTarget(rest)
  checkMethod(rest.method, rest.model, assumed, flagWords(''))
  if (engine === 'clickhouse') {
    throw new RlviError('--engine', 'this engine is not there yet', engine, 'use --engine duckdb')
  }
  checkColumns(rest)
  if (components !== undefined && rest.model !== 'pca') {
    throw new UsageError('--components', 'is for --model pca only', rest.model ?? 'no --model')
  }
  return { ...rest, components: components ?? 1, assumed }
}

function checkTarget({ target, model, intercept }: Pick<Read, 'target' | 'model' | 'intercept'>): void {
  const unsupervised = model !== undefined && !supervisedModels.includes(model)
  if (unsupervised && target !== undefined) {
    throw new UsageError('--target', `--model ${model} has none`, target, 'leave it out')
  }
  if (unsupervised && !intercept) {
    throw new UsageError('--no-intercept', 'is for models with a target', `--model ${model}`)
  }
  if (!unsupervised && target === undefined) {
    const todo = 'or choose --model mean, covariance or pca, which need none'
    throw new UsageError('--target', 'the column to explain is needed', 'none', todo)
  }
}
