import { stat } from 'node:fs/promises'
import { checkFitOptions } from '@rlvi/estimator'
import { flagWords } from '../table/flag-words.js'
import { type Flags, flagName, isGiven, type OptionsOf, readFlags } from '../terminal/flags.js'
import { UsageError } from '../terminal/usage.js'
import { checkResume } from '../train/checkpoint.js'
import { checkAssumed, checkExecutor, type LearningOptions } from '../train/options.js'
import { type AuditFlags, imageAuditFlags, tableAuditFlags } from './flags.js'

export type { AuditFlags } from './flags.js'

export interface ImageAuditOptions
  extends Omit<OptionsOf<typeof imageAuditFlags>, 'assume' | 'folds'>,
    LearningOptions {
  readonly kind: 'images'
  readonly folds: number
}

export interface TableAuditOptions extends Omit<OptionsOf<typeof tableAuditFlags>, 'assume' | 'folds'> {
  readonly kind: 'table'
  readonly folds: number
  readonly target: string
  readonly assumed: number | undefined
}

/** A file is a table, as is whatever has a target; all else is a data set or a folder of images. */
export async function auditOptions(
  data: readonly string[],
  flags: AuditFlags,
): Promise<ImageAuditOptions | TableAuditOptions> {
  const isTable = flags.target !== undefined || data.includes('-') || (await isFile(data[0]!))
  if (!isTable && data.length > 1)
    throw new UsageError('rlvi audit', 'one folder or data set is needed', data)
  return isTable ? tableAuditOptions(flags) : imageAuditOptions(flags)
}

function imageAuditOptions(flags: AuditFlags): ImageAuditOptions {
  refuseOthers(flags, imageAuditFlags, tableAuditFlags, 'is for tables')
  const { assume: assumed, folds, ...rest } = readFlags(imageAuditFlags, flags)
  if (rest.split === 'test' && folds !== undefined)
    throw new UsageError('--folds', 'the test split is judged whole', String(folds), 'leave it out')
  checkAssumed(rest.method, assumed)
  checkResume(rest)
  checkExecutor(rest)
  return { kind: 'images', ...rest, folds: folds ?? 3, assumed }
}

function tableAuditOptions(flags: AuditFlags): TableAuditOptions {
  refuseOthers(flags, tableAuditFlags, imageAuditFlags, 'is for images')
  const { target, assume: assumed, folds = 5, ...rest } = readFlags(tableAuditFlags, flags)
  if (target === undefined) throw new UsageError('--target', 'the column with the labels is needed', 'none')
  const options = { kind: 'table', ...rest, target, assumed, folds } as const
  checkFitOptions(options, flagWords(''))
  return options
}

/** Flags that only the other kind of data has. */
function refuseOthers(flags: AuditFlags, own: Flags, others: Flags, rule: string): void {
  const given: Readonly<Record<string, unknown>> = flags
  const found = Object.entries(others).find(
    ([key, flag]) => isGiven(flag, given[key]) && own[key] === undefined,
  )
  if (found === undefined) return
  const [key, flag] = found
  const value = typeof given[key] === 'boolean' ? flagName(key, flag) : String(given[key])
  throw new UsageError(flagName(key, flag), rule, value, 'leave it out')
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
