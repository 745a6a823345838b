import { DuckDBInstance } from '@duckdb/node-api'
import type { Params, Supervised } from 'rlvi'
import { inBlocks, memoryBlocks } from 'rlvi/passes'
import { expect, test } from 'vitest'
import { models, rowsFor } from '../testing/pass-cases.js'
import { expectSameCalibrated, expectSameFit, expectSameSums } from '../testing/same-sums.js'
import { sqlAggregates } from './aggregates.js'
import { duckdbSql } from './duckdb.js'
import type { Answer, SqlRows } from './rows.js'

/** Rows as a table of DuckDB. */
async function inDuckdb({ x, y }: Supervised): Promise<SqlRows> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const names = Array.from({ length: x.cols }, (_, j) => `c${j}`)
  await connection.run(`create table t (${[...names, 'y'].map((name) => `${name} double`).join(', ')})`)
  const appender = await connection.createAppender('t')
  for (let i = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++) appender.appendDouble(x.values[i * x.cols + j]!)
    appender.appendDouble(y[i]!)
    appender.endRow()
  }
  appender.closeSync()
  const centre = Float64Array.from({ length: x.cols }, (_, j) => (j === 1 ? 20 : 0))
  return {
    dialect: duckdbSql,
    from: 't',
    where: 'true',
    prefix: 'rlvi_',
    x: names,
    y: 'y',
    rows: x.rows,
    centre,
    async ask(sql) {
      const rows = (await connection.runAndReadAll(sql)).getRowsJS()
      return rows.map((row) =>
        row.map((value) => (typeof value === 'bigint' ? Number(value) : (value as Answer))),
      )
    },
  }
}

test.each(models)('sums by SQL are those over the rows, for $name (intercept: $intercept)', async (model) => {
  const data = rowsFor(model.name, 1)
  const table = await inDuckdb(data)
  await expectSameSums(model, data, sqlAggregates(model, table))
  // The second iteration is the first with weights. DuckDB takes its time to plan the queries of counts.
  await expectSameFit(model, data, sqlAggregates(model, table), 2)
})

test.each(['auto', 'normal', 'student', 'light', 'skewed', 'varying'] as const)(
  'the recommended method by SQL is the one over the rows, for errors %s',
  async (errors) => {
    const [linear] = models
    const data = rowsFor('linear', 3, 2500)
    await expectSameCalibrated(linear!, data, sqlAggregates(linear!, await inDuckdb(data)), errors)
  },
)

// Counts by SQL are held to those in blocks on a cluster: DuckDB takes its time to plan their queries.
test.each(models.filter(({ name }) => !['linear', 'poisson', 'softmax'].includes(name)))(
  'the recommended method by SQL is the one over the rows, for $name',
  async (model) => {
    const data = rowsFor(model.name, 4, 2500)
    await expectSameCalibrated(model, data, sqlAggregates(model, await inDuckdb(data)))
  },
)

test('losses that are all far beyond 32 bits are in the bins that they are in over the rows', async () => {
  const [linear] = models
  const data = rowsFor('linear', 5)
  const params = { ...linear!.likelihood.fit(data), intercept: 1e4, scale: 0.01 } as Params
  const bySql = await sqlAggregates(linear!, await inDuckdb(data)).losses(params)
  const inRows = await inBlocks(linear!, memoryBlocks(linear!, data)).losses(params)
  expect(bySql.least).toBeGreaterThan(2 ** 32)
  expect(Math.abs(bySql.least / inRows.least - 1)).toBeLessThan(1e-12)
  expect([bySql.first, bySql.beyond]).toEqual([inRows.first, inRows.beyond])
  expect(bySql.sums[0]).toBe(inRows.sums[0])
})

test('a table that has other rows than were counted is an error, not an answer', async () => {
  const [linear] = models
  const data = rowsFor('linear', 2)
  const table = await inDuckdb(data)
  const more = sqlAggregates(linear!, { ...table, rows: table.rows + 1 })
  await expect(more.moments({ weights: { by: 'all' } })).rejects.toThrow(
    'all 601 rows are needed, got 600 rows',
  )
  await expect(more.losses(linear!.likelihood.fit(data))).rejects.toThrow('all 601 rows are needed')
})
