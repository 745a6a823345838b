/** Sums of products of 200 columns: rows streamed out of DuckDB and multiplied here, against the same sums by SQL. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { fitSource } from '@rlvi/estimator'
import { withRowSource, withTable } from '@rlvi/tables'
import { compare, ms, say } from './measure.js'

const ROWS = Number(process.argv[2] ?? 100_000)
const COLUMNS = 200
/** So many sums are asked for at once: more in one question cost DuckDB more than another scan does. */
const BLOCK = 2000
const WANTED = 3

const folder = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))
const path = join(folder, 'wide.parquet')
const names = Array.from({ length: COLUMNS }, (_, j) => `x${j}`)
const connection = await (await DuckDBInstance.create(':memory:')).connect()

/** All sums of products, as a database gives them. */
async function bySql(): Promise<number> {
  const begun = performance.now()
  const sums = names.flatMap((a, j) => names.slice(0, j + 1).map((b) => `sum(${a} * ${b})`))
  for (let k = 0; k < sums.length; k += BLOCK)
    await connection.runAndReadAll(`select ${sums.slice(k, k + BLOCK).join(', ')} from '${path}'`)
  return performance.now() - begun
}

/** A fit of all columns, which has those sums of all rows at its heart, without any of them in memory. */
async function streamed(): Promise<number> {
  const [target = '', ...features] = names
  const wanted = { features, target, memory: 2 ** 28 }
  const begun = performance.now()
  const fit = await withTable(path, {}, (table) =>
    withRowSource(table, wanted, (source) =>
      fitSource(source, { target, features, model: 'linear', method: 'ml' }),
    ),
  )
  if (fit.inputRows !== ROWS) throw new Error(`${fit.inputRows} rows were fitted`)
  return performance.now() - begun
}

try {
  await connection.run(
    `copy (select ${names.map((name) => `random() as ${name}`).join(', ')} from range(${ROWS})) to '${path}'`,
  )
  const ours = Math.min(await streamed(), await streamed())
  const theirs = await bySql()
  say(`${ROWS.toLocaleString('en')} rows of ${COLUMNS} columns of doubles in Parquet:`)
  compare(
    `the ${(COLUMNS * (COLUMNS + 1)) / 2} sums of products by SQL, against a whole linear fit by passes`,
    theirs,
    ours,
    WANTED,
  )
  say(`  ${ms(ours)} are ${Math.round(ROWS / (ours / 1000)).toLocaleString('en')} rows a second`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
