import { type CellRules, checkNumberRules, type Thousands } from '@rlvi/estimator'
import { flagWords } from '../table/flag-words.js'
import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { UsageError } from '../terminal/usage.js'
import type { Category } from './flag-values.js'
import { type StreamFlags, streamFlags } from './flags.js'

export type { Category } from './flag-values.js'
export type { StreamFlags } from './flags.js'

type Read = OptionsOf<typeof streamFlags>

/** What decides the model and every byte of the output: a checkpoint made with other choices cannot be continued. */
export interface Choices {
  readonly target: string
  readonly model: NonNullable<Read['model']>
  /** The labels in order, where they were given. */
  readonly classes: readonly string[] | null
  readonly features: readonly string[] | null
  readonly exclude: readonly string[] | null
  readonly categories: readonly Category[]
  readonly batch: number
  readonly method: Read['method']
  /** The largest share of bad rows that a method is to assume. */
  readonly assumed: number | null
  readonly format: 'ndjson' | 'csv' | null
  readonly delimiter: string | null
  readonly decimal: '.' | ',' | null
  readonly thousands: Thousands | null
  readonly units: readonly string[] | null
  readonly encoding: string | null
  /** Lines above the header of CSV that are left out. */
  readonly skip: number
  /** Whether CSV begins with the names of its columns, where that was said. */
  readonly header: boolean | null
  /** The values that say that there is none, where they were given. */
  readonly missing: readonly string[] | null
  readonly per: 'row' | 'batch'
  /** The column that the lines of rows carry, to know them by. */
  readonly id: string | null
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
  const read = readFlags(streamFlags, flags)
  const { target, input: inputs, follow, inputContinues: continues, state, checkpointEvery } = read
  if (target === undefined) throw new UsageError('--target', 'the column to explain is needed', 'none')
  if (read.features !== undefined && read.exclude !== undefined) {
    throw new UsageError('--exclude', 'give either --features or --exclude', read.exclude.join(','))
  }
  if (follow && inputs.length > 1) {
    throw new UsageError('--follow', 'at most one --input can be followed', inputs.join(','))
  }
  if (continues && state === undefined) {
    throw new UsageError(
      '--input-continues',
      '--state FILE is needed to know where the last run stopped',
      'none',
    )
  }
  if (continues && inputs.length > 0) {
    throw new UsageError('--input-continues', 'is for rows from stdin', `--input ${inputs[0]}`)
  }
  if (continues && read.encoding !== undefined && read.encoding !== 'utf-8') {
    throw new UsageError('--input-continues', 'is for text in UTF-8', `--encoding ${read.encoding}`)
  }
  checkNumberRules(read, flagWords('stdin'))
  if (checkpointEvery !== undefined && state === undefined) {
    throw new UsageError('--checkpoint-every', '--state FILE is needed to write to', 'none')
  }
  const { strict, out, save } = read
  const choices = choicesOf(read, target)
  return { choices, inputs, follow, continues, strict, out, save, state, every: checkpointEvery ?? 1 }
}

function choicesOf(read: Read, target: string): Choices {
  const { classes, features, exclude, categories, batch, method, assume: assumed, format, per, id } = read
  const model = read.model ?? ((classes?.length ?? 2) > 2 ? 'softmax' : 'logistic')
  if (assumed !== undefined && method !== 'rrm') {
    throw new UsageError('--assume', 'is for --method rrm only', `--method ${method}`)
  }
  if (id !== undefined && per === 'batch')
    throw new UsageError('--id', 'is for lines of rows', '--per batch', 'leave one of the two out')
  if (id === target) throw new UsageError('--id', 'the target cannot name the rows', id)
  return {
    target,
    model,
    classes: classesOf(model, classes),
    features: features ?? null,
    exclude: exclude ?? null,
    categories,
    batch,
    method,
    assumed: assumed ?? null,
    format: format ?? null,
    delimiter: read.delimiter ?? null,
    decimal: read.decimal ?? null,
    thousands: read.thousands ?? null,
    units: read.units ?? null,
    encoding: read.encoding ?? null,
    header: read.header ?? null,
    skip: read.skip ?? 0,
    missing: read.missing ?? null,
    per,
    id: id ?? null,
  }
}

/** How single values are read. */
export function rulesOf({ decimal, thousands, units, missing }: Choices): CellRules {
  return {
    decimal: decimal ?? undefined,
    thousands: thousands ?? undefined,
    units: units ?? undefined,
    missing: missing ?? undefined,
  }
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
