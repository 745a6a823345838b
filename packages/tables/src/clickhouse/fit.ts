import {
  argumentWords,
  type Column,
  chooseFeatures,
  defaultMethod,
  type FitTableOptions,
  fitDatabase,
  fitTable,
  type TableFit,
  type Words,
} from '@rlvi/estimator'
import { RlviError, show } from 'rlvi'
import { isInMemory, judgementsInMemory } from './few-rows.js'
import { type ClickhouseSource, clickhouseSource } from './source.js'
import { stateOf } from './state.js'
import type { ClickhouseTable } from './table.js'
import { judgementSql, writeRowsTable } from './write-rows.js'

/** A fit of a table that stays in its database. */
export interface ClickhouseFit extends TableFit {
  /** Lets the server write all rows, with what the fit says of each, to a new table of the database. */
  writeRows(name: string): Promise<void>
}

/**
 * `fitTable` for a table of a ClickHouse server. Its rows stay there: some thousands come here, of all others nothing but sums. Few rows
 * are fitted here, with the numbers that they would have in a file.
 *
 * @example
 * const fit = await withClickhouse('clickhouse://reader@localhost/shop', 'orders', (table) =>
 *   fitClickhouse(table, { features: ['weight'], target: 'price' }),
 * )
 */
export async function fitClickhouse(
  table: ClickhouseTable,
  { exclude, ...options }: FitTableOptions,
  words: Words = argumentWords,
): Promise<ClickhouseFit> {
  const { target } = options
  const names = table.columns.map(({ name }) => name)
  const features = chooseFeatures(names, { ...options, exclude }, words)
  const used = target === undefined ? features : [...features, target]
  checkTypes(table, used)
  const state = await stateOf(table, used)
  const source = await clickhouseSource(table, { ...options, features })
  if (isInMemory(source.contents.rows, options.method ?? defaultMethod)) {
    await state.check()
    const fit = fitTable(asAll(source.sample), { ...options, reuse: false }, words)
    return {
      ...fit,
      // Rows of a database have no places.
      rows: fit.rows.map(() => -1),
      part: { rows: fit.rows.length, worst: fit.flagged },
      writeRows: async (name) =>
        await writeRowsTable(table, fit, state, judgementsInMemory(table, source, fit), name),
    }
  }
  const fit = await fitDatabase(source, options, words)
  await state.check()
  const { database, rule, answer, ...found } = fit
  return {
    ...found,
    writeRows: (name) => writeRowsTable(table, fit, state, [judgementSql(fit)], name),
  }
}

/** Columns of all rows: nothing more is to be said of them. */
function asAll(columns: ClickhouseSource['sample']): Map<string, Column> {
  return new Map(
    [...columns].map(([name, column]): [string, Column] => {
      if (!('codes' in column)) return [name, column]
      const { whole, ...texts } = column
      return [name, texts]
    }),
  )
}

function checkTypes({ columns }: ClickhouseTable, names: readonly string[]): void {
  for (const { name, type, kind } of columns)
    if (kind === 'other' && names.includes(name))
      throw new RlviError(`column ${show(name)}`, 'numbers, texts, dates or true and false are needed', type)
}
