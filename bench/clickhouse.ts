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
/** So many iterations are timed; the first one is not. */
const TIMED = 3
const MEMORY = 250e6

const names = Array.from({ length: FEATURES }, (_, j) => `x${j}`)
const options = { target: 'y', features: names, method: 'paper', model: 'linear' } as const

/** Ends a fit that has been timed long enough. */
class Enough extends Error {}

/** The time between two iterations, the shortest: other work on the machine can only add to it. */
async function perIteration(
  fit: (onProgress: (progress: FitProgress) => void) => Promise<TableFit>,
): Promise<number> {
  const at: number[] = []
  const onProgress = ({ phase }: FitProgress): void => {
    if (phase !== 'fitting') return
    at.push(performance.now())
    if (at.length > TIMED) throw new Enough()
  }
  try {
    await fit(onProgress)
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return Math.min(...at.slice(1).map((time, k) => time - at[k]!))
}

/** Normal columns and a target that follows them, one row in ten wrong: by hashes, in both databases' words. */
function columnsSql(uniform: (k: number) => string, ln: string): string[] {
  const normal = (k: number): string =>
    `sqrt(-2 * ${ln}(${uniform(2 * k)})) * cos(6.283185307179586 * ${uniform(2 * k + 1)})`
  const line = names.map((_, j) => `${((j % 5) - 2) / 4} * ${normal(j)}`).join(' + ')
  const error = `${normal(FEATURES)} * CASE WHEN i % 10 = 3 THEN 8.0 ELSE 0.5 END`
  return [...names.map((name, j) => `${normal(j)} AS ${name}`), `3 + ${line} + ${error} AS y`]
}

/** Rows are dealt out to the servers as they are made there. */
async function fill({ nodes }: Cluster, from: number, to: number): Promise<void> {
  const uniform = (k: number): string =>
    `(toFloat64(intHash64(i * 64 + ${k}) % 4503599627370496) + 0.5) / 4503599627370496`
  const columns = columnsSql(uniform, 'log').join(', ')
  for (const [k, { ask }] of nodes.entries()) {
    const rows = `SELECT number * ${nodes.length} + ${k} AS i FROM system.numbers LIMIT ${Math.ceil((to - k) / nodes.length)}`
    await ask(`INSERT INTO part SELECT ${columns} FROM (${rows}) WHERE i >= ${from} AND i < ${to}`)
  }
}

async function writeParquet(path: string, rows: number): Promise<void> {
  const uniform = (k: number): string => `((hash(i * 64 + ${k}) >> 12) + 0.5) / 4503599627370496.0`
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' })
  const connection = await instance.connect()
  const columns = columnsSql(uniform, 'ln').join(', ')
  await connection.run(`copy (select ${columns} from range(${rows}) r(i)) to '${path}' (format parquet)`)
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
      await writeParquet(path, millions * 1e6)
      const duckdb = await perIteration((onProgress) =>
        withTable([path], {}, (table) =>
          withRowSource(table, { features: names, target: 'y', memory: MEMORY }, (source) =>
            fitSource(source, { ...options, onProgress }),
          ),
        ),
      )
      rmSync(path)
      await fill(cluster, filled, millions * 1e6)
      filled = millions * 1e6
      const clickhouse = await perIteration((onProgress) =>
        withClickhouse(first!.url, 'rows', (table) => fitClickhouse(table, { ...options, onProgress })),
      )
      costs.push(clickhouse)
      const ratio = (clickhouse / duckdb).toFixed(1)
      say(
        `  ${millions} million rows: three servers ${ms(clickhouse)}, DuckDB out of core ${ms(duckdb)}: ${ratio} times as long; ` +
          `${((1e9 * clickhouse) / 1000 / (millions * 1e6)).toFixed(0)} ns a row`,
      )
    }
    if (SIZES.length > 1)
      say(`  slope of log time over log rows ${exponent(SIZES, costs).toFixed(2)} (wanted: 1)`)
  } finally {
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
