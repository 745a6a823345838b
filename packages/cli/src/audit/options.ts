import { extname } from 'node:path'
import { checkOutput } from '@rlvi/tables'
import { RlviError } from 'rlvi'
import { oneOf, UsageError, wholeNumber } from '../terminal/usage.js'
import { checkTold, type LearnFlags, type LearnOptions, learnOptions } from '../train/options.js'

export interface AuditFlags extends LearnFlags {
  readonly split?: string
  readonly folds?: string
  readonly networks?: string
  readonly top?: string
  readonly rows?: string
  readonly report?: string
  /** For a table. */
  readonly target?: string
  readonly features?: readonly string[]
  readonly exclude?: readonly string[]
  readonly table?: string
}

/** What to tell of the suspects, whatever they are. */
export interface TellOptions {
  /** How many are listed, and shown in the report. */
  readonly top: number
  readonly rows: string | undefined
  readonly report: string | undefined
  readonly json: boolean
}

export interface ImageAuditOptions extends LearnOptions, TellOptions {
  readonly split: 'train' | 'test'
  readonly folds: number
  readonly networks: number
}

const forTables = ['target', 'features', 'exclude', 'table'] as const
const forImages = [
  'network',
  'assume',
  'epochs',
  'batch',
  'learningRate',
  'weightDecay',
  'weights',
  'executor',
  'threads',
  'limit',
  'size',
  'grey',
  'fit',
  'split',
  'folds',
  'networks',
] as const

export function imageAuditOptions(flags: AuditFlags): ImageAuditOptions {
  refuse(flags, forTables, 'is for tables')
  const split = oneOf('--split', flags.split ?? 'train', ['train', 'test'] as const)
  if (split === 'test' && flags.folds !== undefined)
    throw new UsageError('--folds', 'the test split is judged whole', flags.folds, 'leave it out')
  const learn = learnOptions(flags)
  checkTold(learn)
  return {
    ...learn,
    ...tellOptions(flags),
    split,
    folds: wholeNumber('--folds', flags.folds ?? '3', 2),
    networks: wholeNumber('--networks', flags.networks ?? '1', 1),
  }
}

export function tableAuditOptions(flags: AuditFlags): TellOptions & { readonly target: string } {
  refuse(flags, forImages, 'is for images')
  if (flags.target === undefined)
    throw new UsageError('--target', 'the column with the labels is needed', 'none')
  return { ...tellOptions(flags), target: flags.target }
}

function refuse(flags: AuditFlags, names: ReadonlyArray<keyof AuditFlags>, rule: string): void {
  const found = names.find((name) => flags[name] !== undefined)
  if (found === undefined) return
  const flag = `--${found.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new UsageError(flag, rule, String(flags[found]), 'leave it out')
}

function tellOptions(flags: AuditFlags): TellOptions {
  try {
    if (flags.rows !== undefined) checkOutput('--rows', flags.rows)
  } catch (error) {
    if (error instanceof RlviError) throw new UsageError('--rows', error.rule, error.got)
    throw error
  }
  if (flags.report !== undefined && extname(flags.report).toLowerCase() !== '.html')
    throw new UsageError('--report', 'a file name that ends in .html is needed', flags.report)
  return {
    top: wholeNumber('--top', flags.top ?? '100', 1),
    rows: flags.rows,
    report: flags.report,
    json: flags.json ?? false,
  }
}
