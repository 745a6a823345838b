/**
 * A fit of a table that does not fit into memory: time beside that of reading it once with DuckDB, and the memory that it took.
 * Takes the numbers of rows, in millions: `node bench/dist/out-of-core.js 1 2`. Needs 3.5 GB of disk for each copy of 20 million rows.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { exponent, ms, say } from './measure.js'

const MILLIONS = process.argv.slice(2).map(Number)
const SIZES = MILLIONS.length > 0 ? MILLIONS : [1, 2, 5, 10, 20]
const COLUMNS = 20
const MEMORY = '500MB'
const MOST_BYTES = 1e9
const MOST_SCANS = 1.5

const bin = fileURLToPath(new URL('../../packages/cli/bin/rlvi.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))

/** Nineteen columns and a target that follows them; one row in five follows them the other way round. */
async function write(path: string, rows: number): Promise<void> {
  const features = Array.from({ length: COLUMNS - 1 }, (_, j) => `random() as x${j}`)
  const line = Array.from({ length: COLUMNS - 1 }, (_, j) => `${((j % 5) - 2) / 4} * x${j}`).join(' + ')
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' })
  const connection = await instance.connect()
  await connection.run('select setseed(0.5)')
  await connection.run(
    `copy (select * exclude (i, e), 3 + (${line}) * case when i % 5 = 3 then -1 else 1 end + 0.2 * e as y
      from (select i, ${features.join(', ')}, random() + random() + random() - 1.5 as e from range(${rows}) r(i)))
      to '${path}' (format parquet)`,
  )
  connection.closeSync()
  instance.closeSync()
}

/** One scan of all columns into typed arrays, in a process of its own. */
const scan = `
  import { DuckDBInstance } from '@duckdb/node-api'
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const begun = performance.now()
  const before = process.cpuUsage()
  const result = await connection.stream("select * from read_parquet('" + process.argv[1] + "')")
  let rows = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    for (let j = 0; j < ${COLUMNS}; j++) if (chunk.getColumnVector(j).items.length < chunk.rowCount) throw new Error()
    rows += chunk.rowCount
  }
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ rows, wall: performance.now() - begun, processor: (user + system) / 1000 }))`

interface Ran {
  readonly out: string
  /** Milliseconds. */
  readonly wall: number
  readonly processor: number
  /** The most memory that the process had at once, in bytes. */
  readonly peak: number
}

/** Says at the end how long processors were busy. */
const reporter = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('processor ' + (user + system)) })",
)}`

/** A process of its own, with the most memory that it had, as the system counts it. */
async function run(argv: readonly string[]): Promise<Ran> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--import', reporter, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  let peak = 0
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid!))
  }, 50)
  const status = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(look)
  if (status !== 0) throw new Error(words)
  const processor = Number(/processor (\d+)/.exec(words)?.[1]) / 1000
  return { out, wall: performance.now() - begun, processor, peak }
}

/** Linux keeps it; elsewhere it is not measured. */
function peakOf(pid: number): number {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

interface Scan {
  readonly wall: number
  readonly processor: number
}

/** The shortest of some scans: other work on the machine can only add. */
async function scanTime(path: string): Promise<Scan> {
  const times: Scan[] = []
  for (let k = 0; k < 3; k++)
    times.push(JSON.parse((await run(['--input-type=module', '-e', scan, path])).out))
  return {
    wall: Math.min(...times.map(({ wall }) => wall)),
    processor: Math.min(...times.map(({ processor }) => processor)),
  }
}

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'NOT met')

try {
  say(`linear, ${COLUMNS} columns of doubles in Parquet, rlvi fit --memory ${MEMORY}, a whole process:`)
  const costs: Record<string, number[]> = { paper: [], calibrated: [] }
  for (const millions of SIZES) {
    const path = join(folder, 'rows.parquet')
    await write(path, millions * 1e6)
    const one = await scanTime(path)
    say(
      `  ${millions} million rows (${(statSync(path).size / 1e9).toFixed(2)} GB): one scan by DuckDB ${ms(one.wall)}, processor time ${ms(one.processor)}`,
    )
    for (const method of ['paper', 'calibrated']) {
      const { out, wall, processor, peak } = await run([
        bin,
        'fit',
        path,
        '--target',
        'y',
        '--method',
        method,
        '--memory',
        MEMORY,
        '--json',
      ])
      const { iterations, corruption, rows } = JSON.parse(out)
      if (rows !== millions * 1e6) throw new Error(`${rows} rows were fitted`)
      costs[method]!.push(wall)
      const scans = wall / (iterations * one.wall)
      const busy = processor / (iterations * one.processor)
      say(
        `    ${method.padEnd(10)} ${ms(wall)}, ${iterations} iterations: ${scans.toFixed(2)} scans each (wanted: ${MOST_SCANS}; ${verdict(scans <= MOST_SCANS)}), by processor time ${busy.toFixed(2)}; ` +
          `peak ${(peak / 1e6).toFixed(0)} MB (wanted: under 1 GB; ${verdict(peak < MOST_BYTES)}), ${(100 * corruption.level).toFixed(2)} % bad`,
      )
    }
    rmSync(path)
  }
  if (SIZES.length > 1)
    for (const [method, times] of Object.entries(costs)) {
      const each = SIZES.map((millions, k) => `${millions}M ${ms(times[k]!)}`).join(', ')
      say(
        `  ${method}: ${each}; slope of log time over log rows ${exponent(SIZES, times).toFixed(2)} (wanted: 1)`,
      )
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
