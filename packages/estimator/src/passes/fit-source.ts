import type { Params, Supervised } from 'rlvi'
import type { MethodName } from '../fit/methods.js'
import { checkFitOptions, type FitTableOptions, type Settings } from '../fit/options.js'
import type { PlainFit } from '../fit/plain-fit.js'
import type { TableFit } from '../fit/table-fit.js'
import type { ResponseUnits } from '../fit/units.js'
import { argumentWords, OptionError, type Words } from '../words.js'
import { fitPasses, type JudgedBlock } from './fit-passes.js'
import { blockRows, type PassRows, type RowFit } from './pass-rows.js'
import type { RowSource, Source } from './row-source.js'

/** The methods that need no more of the rows than sums over all of them. */
export const passMethods: readonly MethodName[] = ['calibrated', 'paper', 'ml']

/** A fit of a table that was not read into memory. Its arrays hold some of the rows. */
export interface SourceFit extends TableFit {
  /** What the fit says of rows of the design, in the table's units, with all columns that were planned. */
  judge(rows: Supervised): JudgedBlock
  /** The fit that trusts every row, to stand beside it: as `plainFit`, by a pass over the rows while they are open. */
  plain(): Promise<PlainFit>
}

/** A fit of a table that stays in its database, with the rules by which its rows are judged there. */
export interface DatabaseFit<Rows extends PassRows> extends TableFit {
  /** All rows, as the fit saw them. */
  readonly database: Rows
  readonly rule: RowFit<Params>
  /** What a standardised response was. */
  readonly answer: ResponseUnits
}

/**
 * `fitTable` for a table that is not read into memory: what its columns hold is judged by all rows, and the fit goes by
 * passes over them.
 */
export async function fitSource(
  source: RowSource,
  options: FitTableOptions = {},
  words: Words = argumentWords,
): Promise<SourceFit> {
  const settings = checkFitOptions({ ...options, reuse: false }, words)
  const where = 'of a table that does not fit into memory'
  checkPasses(settings, words, where, `give more by ${words.option('memory')}`)
  const { fit, judge, plain } = await fitPasses(inBlocks(source), settings, words)
  return { ...fit, judge, plain }
}

function inBlocks(source: RowSource): Source<PassRows> {
  return {
    ...source,
    ignoring: async (columns) => inBlocks(await source.ignoring(columns)),
    open: async (plan) => blockRows(await source.open(plan)),
  }
}

/** `fitSource` for a table that stays in a database, which is asked for sums alone. */
export async function fitDatabase<Rows extends PassRows>(
  source: Source<Rows>,
  options: FitTableOptions = {},
  words: Words = argumentWords,
): Promise<DatabaseFit<Rows>> {
  const settings = checkFitOptions({ ...options, reuse: false }, words)
  checkPasses(settings, words, 'of a table in a database', 'or write the rows to a file and fit that')
  const { fit, rows, rule, answer } = await fitPasses(source, settings, words)
  return { ...fit, database: rows, rule, answer }
}

function checkPasses({ method }: Settings, words: Words, where: string, todo: string): void {
  if (passMethods.includes(method)) return
  const rule = `${where} only ${passMethods.join(', ')} can be had`
  throw new OptionError(words.option('method'), rule, method, todo)
}
