import { extname } from 'node:path'
import { checkOutput } from '@rlvi/tables'
import { RlviError } from 'rlvi'
import { oneOf, share, UsageError, wholeNumber } from '../terminal/usage.js'
import {
  checkMethod,
  defaultMethod,
  type MethodName,
  type ModelName,
  methodNames,
  modelNames,
  supervisedModels,
} from './methods.js'

/** The flags of `rlvi fit` as the command line has them. */
export interface FitFlags {
  readonly target?: string
  readonly model?: string
  readonly components?: string
  readonly features?: readonly string[]
  readonly exclude?: readonly string[]
  readonly intercept?: boolean
  readonly method?: string
  readonly epsilon?: string
  readonly table?: string
  readonly engine?: string
  readonly strict?: boolean
  readonly rows?: string
  readonly save?: string
  readonly json?: boolean
  readonly seed?: string
}

export interface FitOptions {
  readonly target: string | undefined
  /** Undefined: chosen by the target. */
  readonly model: ModelName | undefined
  readonly components: number
  readonly features: readonly string[] | undefined
  readonly exclude: readonly string[] | undefined
  readonly intercept: boolean
  readonly method: MethodName
  readonly epsilon: number | undefined
  readonly table: string | undefined
  readonly strict: boolean
  readonly rows: string | undefined
  readonly save: string | undefined
  readonly json: boolean
  readonly seed: number
}

/** Everything that can be wrong with a command line by itself is found here, before any file is opened. */
export function fitOptions(flags: FitFlags): FitOptions {
  const model = flags.model === undefined ? undefined : oneOf('--model', flags.model, modelNames)
  const method = oneOf('--method', flags.method ?? defaultMethod, methodNames)
  const epsilon = flags.epsilon === undefined ? undefined : share('--epsilon', flags.epsilon)
  checkTarget(flags, model)
  checkMethod(method, model, epsilon)
  checkEngine(flags.engine)
  if (flags.features !== undefined && flags.exclude !== undefined) {
    throw new UsageError('--exclude', 'give either --features or --exclude', flags.exclude.join(','))
  }
  if (flags.components !== undefined && model !== 'pca') {
    throw new UsageError('--components', 'is for --model pca only', model ?? 'no --model')
  }
  checkEndings(flags)
  return {
    target: flags.target,
    model,
    components: flags.components === undefined ? 1 : wholeNumber('--components', flags.components, 1),
    features: flags.features,
    exclude: flags.exclude,
    intercept: flags.intercept ?? true,
    method,
    epsilon,
    table: flags.table,
    strict: flags.strict ?? false,
    rows: flags.rows,
    save: flags.save,
    json: flags.json ?? false,
    seed: wholeNumber('--seed', flags.seed ?? '0', 0),
  }
}

function checkTarget(flags: FitFlags, model: ModelName | undefined): void {
  const unsupervised = model !== undefined && !supervisedModels.includes(model)
  if (unsupervised && flags.target !== undefined) {
    throw new UsageError('--target', `--model ${model} has none`, flags.target, 'leave it out')
  }
  if (unsupervised && flags.intercept === false) {
    throw new UsageError('--no-intercept', 'is for models with a target', `--model ${model}`)
  }
  if (!unsupervised && flags.target === undefined) {
    const todo = 'or choose --model mean, covariance or pca, which need none'
    throw new UsageError('--target', 'the column to explain is needed', 'none', todo)
  }
}

function checkEngine(engine: string | undefined): void {
  if (oneOf('--engine', engine ?? 'duckdb', ['duckdb', 'clickhouse']) === 'clickhouse') {
    throw new RlviError('--engine', 'this engine is not there yet', 'clickhouse', 'use --engine duckdb')
  }
}

function checkEndings(flags: FitFlags): void {
  try {
    if (flags.rows !== undefined) checkOutput('--rows', flags.rows)
  } catch (error) {
    if (error instanceof RlviError) throw new UsageError('--rows', error.rule, error.got)
    throw error
  }
  if (flags.save !== undefined && extname(flags.save).toLowerCase() !== '.json') {
    throw new UsageError('--save', 'a file name that ends in .json is needed', flags.save)
  }
}
