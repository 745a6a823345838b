import { extname } from 'node:path'
import { oneOf, share, UsageError, wholeNumber } from '../terminal/usage.js'

/** The flags of `rlvi stream` as the command line has them. */
export interface StreamFlags {
  readonly target?: string
  readonly model?: string
  readonly classes?: string
  readonly features?: readonly string[]
  readonly exclude?: readonly string[]
  readonly categories?: readonly string[]
  readonly batch?: string
  readonly method?: string
  readonly epsilon?: string
  readonly input?: readonly string[]
  readonly format?: string
  readonly follow?: boolean
  readonly inputContinues?: boolean
  readonly strict?: boolean
  readonly out?: string
  readonly save?: string
  readonly per?: string
  readonly state?: string
  readonly checkpointEvery?: string
}

const models = ['logistic', 'linear', 'softmax'] as const
const formats = ['ndjson', 'csv'] as const
const units = ['row', 'batch'] as const
const methods = ['calibrated', 'paper', 'rrm', 'sgd'] as const

/** What decides the model and every byte of the output: a checkpoint made with other choices cannot be continued. */
export interface Choices {
  readonly target: string
  readonly model: (typeof models)[number]
  /** The labels in order, where they were given. */
  readonly classes: readonly string[] | null
  readonly features: readonly string[] | null
  readonly exclude: readonly string[] | null
  readonly categories: readonly Category[]
  readonly batch: number
  readonly method: (typeof methods)[number]
  readonly epsilon: number | null
  readonly format: 'ndjson' | 'csv' | null
  readonly per: 'row' | 'batch'
}

/** A text column whose values were told beforehand: a stream cannot be looked through for them. */
export interface Category {
  readonly name: string
  readonly values: readonly string[]
}

export interface StreamOptions {
  readonly choices: Choices
  /** Files to read one after the other; none for stdin. */
  readonly inputs: readonly string[]
  readonly follow: boolean
  /** The input goes on where the last run stopped reading, instead of beginning anew. */
  readonly continues: boolean
  readonly strict: boolean
  readonly out: string | undefined
  /** Where the model goes at the end. */
  readonly save: string | undefined
  readonly state: string | undefined
  /** Seconds between checkpoints; 0 for as often as can be. */
  readonly every: number
}

/** Everything that can be wrong with a command line by itself is found here, before anything is read. */
export function streamOptions(flags: StreamFlags): StreamOptions {
  if (flags.target === undefined) throw new UsageError('--target', 'the column to explain is needed', 'none')
  if (flags.features !== undefined && flags.exclude !== undefined) {
    throw new UsageError('--exclude', 'give either --features or --exclude', flags.exclude.join(','))
  }
  const inputs = flags.input ?? []
  const follow = flags.follow ?? false
  const continues = flags.inputContinues ?? false
  if (follow && inputs.length > 1) {
    throw new UsageError('--follow', 'at most one --input can be followed', inputs.join(','))
  }
  if (continues && flags.state === undefined) {
    throw new UsageError(
      '--input-continues',
      '--state FILE is needed to know where the last run stopped',
      'none',
    )
  }
  if (continues && inputs.length > 0) {
    throw new UsageError('--input-continues', 'is for rows from stdin', `--input ${inputs[0]}`)
  }
  if (flags.checkpointEvery !== undefined && flags.state === undefined) {
    throw new UsageError('--checkpoint-every', '--state FILE is needed to write to', 'none')
  }
  if (flags.save !== undefined && extname(flags.save).toLowerCase() !== '.json') {
    throw new UsageError('--save', 'a file name that ends in .json is needed', flags.save)
  }
  return {
    choices: choices(flags, flags.target),
    inputs,
    follow,
    continues,
    strict: flags.strict ?? false,
    out: flags.out,
    save: flags.save,
    state: flags.state,
    every: seconds(flags.checkpointEvery ?? '1'),
  }
}

function choices(flags: StreamFlags, target: string): Choices {
  const given = flags.classes === undefined ? undefined : names('--classes', flags.classes)
  const model = oneOf('--model', flags.model ?? ((given?.length ?? 2) > 2 ? 'softmax' : 'logistic'), models)
  const method = oneOf('--method', flags.method ?? 'calibrated', methods)
  if (flags.epsilon !== undefined && method !== 'rrm') {
    throw new UsageError('--epsilon', 'is for --method rrm only', `--method ${method}`)
  }
  return {
    target,
    model,
    classes: classesOf(model, given),
    features: flags.features ?? null,
    exclude: flags.exclude ?? null,
    categories: (flags.categories ?? []).map(category),
    batch: batchSize(flags.batch ?? '100'),
    method,
    epsilon: flags.epsilon === undefined ? null : share('--epsilon', flags.epsilon),
    format: flags.format === undefined ? null : oneOf('--format', flags.format, formats),
    per: oneOf('--per', flags.per ?? 'row', units),
  }
}

function batchSize(text: string): number {
  const size = wholeNumber('--batch', text, 1)
  if (size > 1_000_000) throw new UsageError('--batch', 'at most 1000000 rows are learned at once', text)
  return size
}

function classesOf(model: Choices['model'], given: readonly string[] | undefined): readonly string[] | null {
  if (model === 'linear') {
    if (given === undefined) return null
    throw new UsageError('--classes', '--model linear has none', given.join(','), 'leave one of the two out')
  }
  if (model === 'logistic') {
    if (given === undefined || given.length === 2) return given ?? null
    throw new UsageError('--classes', '--model logistic needs two', given.join(','), 'use --model softmax')
  }
  if (given === undefined) {
    const todo = 'a stream cannot be looked through for them: give --classes A,B,C'
    throw new UsageError('--classes', '--model softmax needs the labels', 'none', todo)
  }
  if (given.length < 2) throw new UsageError('--classes', 'at least two are needed', given.join(','))
  return given
}

function category(text: string): Category {
  const sign = text.indexOf('=')
  if (sign < 1) throw new UsageError('--categories', 'COLUMN=A,B,C is needed', text)
  const values = names('--categories', text.slice(sign + 1))
  if (values.length < 2) throw new UsageError('--categories', 'at least two values are needed', text)
  return { name: text.slice(0, sign), values }
}

function names(flag: string, text: string): string[] {
  const found = text.split(',').map((name) => name.trim())
  const twice = found.find((name, i) => found.indexOf(name) < i)
  if (twice !== undefined) throw new UsageError(flag, 'each name is given once', twice)
  if (found.includes('')) throw new UsageError(flag, 'names parted by commas are needed', text)
  return found
}

function seconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  // Beyond a day a timer would overflow.
  if (value <= 86_400) return value
  throw new UsageError('--checkpoint-every', 'seconds, at most 86400, are needed', text)
}
