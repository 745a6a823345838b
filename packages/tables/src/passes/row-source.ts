import type { RowSource } from '@rlvi/estimator'
import { fromDuckDB } from '../errors.js'
import { lookThrough } from '../numeric.js'
import type { Wanted } from '../read.js'
import type { Table } from '../table.js'
import { openRows } from './open-rows.js'
import { sampleOf } from './sample.js'
import type { Scanned } from './scan.js'
import { type ColumnTexts, textsIn } from './texts.js'

/**
 * A table as `fitSource` reads it: never more of it in memory than some rows. What its columns hold is found out from all
 * rows, by the database.
 *
 * @example
 * const wanted = { features: ['log_temperature'], target: 'log_light' }
 * const { params } = await withTable('stars.parquet', {}, (table) =>
 *   withRowSource(table, wanted, (source) => fitSource(source, { target: 'log_light' })),
 * )
 */
export async function withRowSource<T>(
  table: Table,
  wanted: Wanted,
  use: (source: RowSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(table, wanted)
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

async function openSource(table: Table, wanted: Wanted): Promise<RowSource & { close(): Promise<void> }> {
  const { features, target, ...rules } = wanted
  const names = target === undefined ? [...features] : [...features, target]
  const scanned = await scannedOf(table, names, rules)
  const sample = await sampleOf(scanned, names, target)
  const texts = new Map<string, readonly string[]>()
  for (const [name, { values }] of scanned.texts) if (values !== undefined) texts.set(name, values)
  const { columns, places, even, whole } = sample
  let before: { close(): Promise<void> } | undefined
  return {
    sample: columns,
    places,
    even,
    whole,
    texts,
    async open(plan) {
      // A plan takes the place of the one before, and its copy that of the other.
      await before?.close()
      const opened = await openRows(scanned, plan)
      before = opened
      return opened
    },
    close: async () => await before?.close(),
  }
}

async function scannedOf(table: Table, names: readonly string[], rules: Scanned['rules']): Promise<Scanned> {
  try {
    const { rows, numeric } = await lookThrough(table, names, rules)
    const texts = new Map<string, ColumnTexts>()
    for (const name of names) if (!numeric.has(name)) texts.set(name, await textsIn(table, name))
    return { table, rules, rows, numeric, texts }
  } catch (error) {
    throw fromDuckDB(table.path, error, 'could not be read')
  }
}
