/**
 * What an iteration costs on a cluster of three ClickHouse servers on this machine, beside that of DuckDB out of core on the same
 * table in Parquet; `paper`, linear, twenty columns. Takes the numbers of rows, in millions: `node bench/dist/clickhouse.js 1 2`.
 * Needs 7 GB of disk for 20 million rows. The servers share the machine: what is shown is the cost, not what more machines save.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type FitProgress, fitSource, type TableFit } from '@rlvi/estimator'
import { fitClickhouse, withClickhouse, withRowSource, withTable } from '@rlvi/tables'
import { type Cluster, clickhousePath, cluster as clusterName, startCluster } from './clickhouse-cluster.js'
import { exponent, ms, say } from './measure.js'

const MILLIONS = process.argv.slice(2).map(Number)
const SIZES = MILLIONS.length > 0 ? MILLIONS : [1, 2, 5, 10, 20]
const FEATURES = 19
/** So many iterations are timed, the first one not; of the largest tables, which take a quarter of an hour each, one. */
const timed = (millions: number): number => (millions > 10 ? 1 : 2)
const MEMORY = 250e6

const names = Array.from({ length: FEATURES }, (_, j) => `x${j}`)
const options = { target: 'y', features: names, method: 'paper', model: 'linear' } as const

/** Ends a fit that has been timed long enough. */
class Enough extends Error {}

/** The time between two iterations, the shortest: other work on the machine can only add to it. */
async function perIteration(
  millions: number,
  fit: (onProgress: (progress: FitProgress) => void) => Promise<TableFit>,
): Promise<number> {
  const at: number[] = []
  const onProgress = ({ phase }: FitProgress): void => {
    if (phase !== 'fitting') return
    at.push(performance.now())
    if (at.length > timed(millions)) throw new Enough()
  }
  try {
    await fit(onProgress)
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return Math.min(...at.slice(1).map((time, k) => time - at[k]!))
}

/**
 * Columns between 0 and 1 and a target that follows them, one row in ten wrong: by hashes, in both databases' words. Each number is made once, and without
 * roots and logarithms: to fill the tables is no part of what is measured.
 */
function tableSql(uniform: (k: number) => string, from: string): string {
  const columns = names.map((name, j) => `${uniform(j)} AS ${name}`)
  const errors = [0, 1, 2].map((k) => uniform(FEATURES + k)).join(' + ')
  const line = names.map((name, j) => `${((j % 5) - 2) / 4} * ${name}`).join(' + ')
  return `SELECT ${names.join(', ')}, 3 + ${line} + e * CASE WHEN i % 10 = 3 THEN 8.0 ELSE 0.5 END AS y
    FROM (SELECT i, ${columns.join(', ')}, ${errors} - 1.5 AS e FROM (${from}))`
}

/** Rows are dealt out to the servers as they are made there. */
async function fill({ nodes }: Cluster, from: number, to: number): Promise<void> {
  const uniform = (k: number): string =>
    `(toFloat64(intHash64(i * 64 + ${k}) % 4503599627370496) + 0.5) / 4503599627370496`
  const n = nodes.length
  for (const [k, { ask }] of nodes.entries()) {
    const first = Math.ceil((from - k) / n)
    const rows = `SELECT (number + ${first}) * ${n} + ${k} AS i FROM system.numbers LIMIT ${Math.ceil((to - k) / n) - first}`
    await ask(`INSERT INTO part ${tableSql(uniform, rows)}`)
  }
}

async function writeParquet(path: string, rows: number): Promise<void> {
  // Without casts they would be decimals of 128 bits, which take ten times as long.
  const uniform = (k: number): string =>
    `((hash(i * 64 + ${k}) >> 12)::double + 0.5::double) / 4503599627370496::double`
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' })
  const connection = await instance.connect()
  const sql = tableSql(uniform, `select i from range(${rows}) r(i)`)
  await connection.run(`copy (${sql}) to '${path}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()
}

if (clickhousePath === undefined) say('clickhouse: no clickhouse-server was found; skipped')
else {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))
  const cluster = await startCluster(3)
  try {
    const definition = [...names, 'y'].map((name) => `${name} Float64`).join(', ')
    for (const { ask } of cluster.nodes)
      await ask(`CREATE TABLE part (${definition}) ENGINE = MergeTree() ORDER BY tuple()`)
    const [first] = cluster.nodes
    await first!.ask(`CREATE TABLE rows AS part ENGINE = Distributed(${clusterName}, default, part, rand())`)
    say(`linear, paper, ${FEATURES + 1} columns of doubles, one iteration (two scans of all rows):`)
    const costs: number[] = []
    let filled = 0
    for (const millions of SIZES) {
      const path = join(folder, 'rows.parquet')
      const begun = performance.now()
      await writeParquet(path, millions * 1e6)
      const writing = performance.now() - begun
      const duckdb = await perIteration(millions, (onProgress) =>
        withTable([path], {}, (table) =>
          withRowSource(table, { features: names, target: 'y', memory: MEMORY }, (source) =>
            fitSource(source, { ...options, onProgress }),
          ),
        ),
      )
      rmSync(path)
      const counted = performance.now()
      await fill(cluster, filled, millions * 1e6)
      filled = millions * 1e6
      const filling = performance.now() - counted
      const clickhouse = await perIteration(millions, (onProgress) =>
        withClickhouse(first!.url, 'rows', (table) => fitClickhouse(table, { ...options, onProgress })),
      )
      costs.push(clickhouse)
      const ratio = (clickhouse / duckdb).toFixed(1)
      say(
        `  ${millions} million rows: three servers ${ms(clickhouse)}, DuckDB out of core ${ms(duckdb)}: ${ratio} times as long; ` +
          `${((1e9 * clickhouse) / 1000 / (millions * 1e6)).toFixed(0)} ns a row ` +
          `(written in ${ms(writing)}, filled in ${ms(filling)})`,
      )
    }
    if (SIZES.length > 1)
      say(`  slope of log time over log rows ${exponent(SIZES, costs).toFixed(2)} (wanted: 1)`)
  } finally {
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
