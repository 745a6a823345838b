/** The report of a million rows: its size, and how long Chromium takes to open it; and `rlvi look` of the same rows. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { ms, say } from './measure.js'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const MOST_BYTES = 2e6
const MOST_MS = 2000
const MOST_LOOK_MS = 1000
const RUNS = 5

const bin = fileURLToPath(new URL('../../packages/cli/bin/rlvi.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))

/** Eight columns and a target; one row in twenty is off by much. */
const table = `
  with drawn as (select i, ${[1, 2, 3, 4, 5].map((k) => `(hash(i * 7 + ${k}) % 1000003) / 1000003.0 as u${k}`).join(', ')} from range(${ROWS}) r(i))
  select i as id, u1 as a, 10 * u2 - 5 as b, round(100 * u3, 2) as width, ln(0.01 + u4) as logged,
    date '2020-01-01' + (i % 900)::int as day, ['red', 'green', 'blue', 'gold'][1 + (i % 4)::int] as colour,
    case when i % 97 = 0 then null else (hash(i) % 31)::int end as whole,
    2 + 30 * u1 - 10 * u2 + u3 + u4 + u5 + case when i % 20 = 0 then 9 + 5 * u5 else 0 end as y from drawn`

async function writeTables(): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const name of ['rows.csv', 'rows.parquet'])
    await connection.run(
      `copy (${table}) to '${join(folder, name)}' ${name.endsWith('csv') ? '(header)' : ''}`,
    )
}

/** What DuckDB takes for the least that must be known: how many rows there are, and the range of each column. */
const bare = `
  import { createRequire } from 'node:module'
  const { DuckDBInstance } = createRequire(${JSON.stringify(import.meta.url)})('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.runAndReadAll("select count(*), min(columns(*)), max(columns(*)) from '" + process.argv.at(-1) + "'")`

/** Of several runs the shortest: other work on the machine can only add. */
function shortest(runs: number, argv: readonly string[]): { wall: number; processor: number } {
  const times = Array.from({ length: runs }, () => {
    const code =
      "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('processor ' + (user + system)) })"
    const begun = performance.now()
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(code)}`, ...argv],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(stderr)
    return {
      wall: performance.now() - begun,
      processor: Number(/processor (\d+)/.exec(stderr)?.[1]) / 1000,
    }
  })
  return {
    wall: Math.min(...times.map(({ wall }) => wall)),
    processor: Math.min(...times.map(({ processor }) => processor)),
  }
}

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'NOT met')

/** Until the page is loaded and its script has marked every point. */
async function opening(path: string, executablePath: string): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const times: number[] = []
    for (let k = 0; k < RUNS; k++) {
      const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
      const begun = performance.now()
      await page.goto(`file://${path}`)
      await page.waitForSelector('#flagged-count:not(:empty)')
      times.push(performance.now() - begun)
      await page.close()
    }
    return Math.min(...times)
  } finally {
    await browser.close()
  }
}

try {
  await writeTables()
  const least = join(folder, 'least.mjs')
  writeFileSync(least, bare)
  const [csv, parquet, html] = ['rows.csv', 'rows.parquet', 'report.html'].map((name) => join(folder, name))
  say(`${ROWS.toLocaleString('en')} rows, nine columns; the best of ${RUNS}:`)
  execFileSync(
    process.execPath,
    [bin, 'fit', parquet!, '--target', 'y', '--exclude', 'id', '--report', html!],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const { size } = statSync(html!)
  say(`  report: ${(size / 1e6).toFixed(2)} MB  (wanted: under 2; ${verdict(size < MOST_BYTES)})`)
  const drawn = /([\d,]+ of [\d,]+ rows are drawn[^.]*)\./.exec(readFileSync(html!, 'utf8'))?.[1]
  if (drawn !== undefined) say(`  ${drawn}`)
  const found = [
    process.env.RLVI_CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  const browser = found.find((path) => path !== undefined && path !== '' && existsSync(path))
  if (browser === undefined) say('  no Chromium here: its opening is not measured')
  else {
    const open = await opening(html!, browser)
    say(`  opens in Chromium in ${ms(open)}  (wanted: under 2 s; ${verdict(open < MOST_MS)})`)
  }
  for (const path of [parquet!, csv!]) {
    const floor = shortest(RUNS, [least, path])
    const { wall, processor } = shortest(RUNS, [bin, 'look', path])
    const kind = path.endsWith('csv') ? 'CSV' : 'Parquet'
    say(
      `  rlvi look, ${kind}, a whole process: ${ms(wall)}, processor time ${ms(processor)}  (wanted: under 1 s; ${verdict(wall < MOST_LOOK_MS)})`,
    )
    say(
      `    a process in which DuckDB counts the rows and finds each range: ${ms(floor.wall)}, ${ms(floor.processor)}: ${(wall / floor.wall).toFixed(1)} and ${(processor / floor.processor).toFixed(1)} times that`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
