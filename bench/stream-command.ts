/**
 * `rlvi stream` from end to end: rows a minute on one core, and the memory of a long run. The number of rows of the
 * long run can be given: `npm run --silent build && node bench/dist/stream-command.js 1000000`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { draws } from 'rlvi/random'
import { compare, say } from './measure.js'
import { runPython } from './yardstick.js'

const ROWS = 200_000
const FEATURES = 60
const WANTED = 200_000
const RUNS = 3
/** Where the system can be asked for that. */
const oneCore = spawnSync('taskset', ['-c', '0', 'true']).status === 0 ? ['taskset', '-c', '0'] : []
const rlvi = fileURLToPath(new URL('../../packages/cli/bin/rlvi.js', import.meta.url))

/** Rows of a linear rule, 15 % of the labels flipped, in pieces of a few hundred. */
function* pieces(rows: number, features: number, format: 'ndjson' | 'csv'): Generator<string> {
  const random = draws('stream-command', 7)
  const names = Array.from({ length: features }, (_, j) => `x${j}`)
  let text = format === 'csv' ? `${names.join(',')},y\n` : ''
  for (let i = 0; i < rows; i++) {
    let score = 0
    let line = ''
    for (let j = 0; j < features; j++) {
      const value = Math.round(random.uniform(-1e6, 1e6)) / 1e6
      score += j % 2 === 0 ? value : -value
      line += format === 'csv' ? `${value},` : `"${names[j]}":${value},`
    }
    const label = (score > 0 ? 1 : 0) ^ (random.uniform(0, 1) < 0.15 ? 1 : 0)
    text += format === 'csv' ? `${line}${label}\n` : `{${line}"y":${label}}\n`
    if (text.length > 60_000 || i === rows - 1) {
      yield text
      text = ''
    }
  }
}

// As a program of its own: the rows for the long run.
if (process.argv[2] === 'rows') {
  for (const piece of pieces(Number(process.argv[3]), 5, 'ndjson')) {
    await new Promise((resolve) => process.stdout.write(piece, resolve))
  }
} else {
  throughput()
  await memory(Number(process.argv[2] ?? 10_000_000))
}

/** The shortest of several runs, each after `before`. */
function timed(pinned: readonly string[], argv: readonly string[], before = (): void => undefined): number {
  const [command, ...rest] = [...pinned, process.execPath, rlvi, 'stream', '--target', 'y', ...argv]
  let best = Number.POSITIVE_INFINITY
  for (let k = 0; k < RUNS; k++) {
    before()
    const started = performance.now()
    const stdio = ['ignore', 'ignore', 'pipe'] as const
    const { status, stderr } = spawnSync(command!, rest, { stdio: [...stdio], encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    best = Math.min(best, performance.now() - started)
  }
  return best
}

function throughput(): void {
  const place = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))
  try {
    say(
      `rlvi stream, ${ROWS} rows of ${FEATURES} features, start of the program included${oneCore.length > 0 ? ', on one core' : ''}`,
    )
    const times = (['csv', 'ndjson'] as const).map((format) => {
      const path = join(place, format)
      const file = openSync(path, 'w')
      for (const piece of pieces(ROWS, FEATURES, format)) writeSync(file, piece)
      closeSync(file)
      const time = timed(oneCore, ['--input', path])
      const rate = (60_000 * ROWS) / time
      const ratio = (rate / WANTED).toFixed(1)
      say(
        `  ${format}: ${Math.round(rate / 1000)} thousand rows a minute, ${ratio} times the ${WANTED} wanted`,
      )
      return time
    })
    const ndjson = join(place, 'ndjson')
    const state = join(place, 'state')
    const argv = ['--input', ndjson, '--state', state, '--out', join(place, 'out')]
    const kept = timed(oneCore, argv, () => rmSync(state, { force: true }))
    say(`  ndjson with --state and --out: ${(kept / times[1]!).toFixed(2)} times the time without`)
    const theirs = runPython<{ ms: number }>('stream-command.py', ['numpy', 'sklearn'], [ndjson])
    // Python was not kept to one core, so neither are we.
    const name = 'json and scikit-learn partial_fit, plain SGD in Python'
    if (theirs?.kind === 'done') compare(name, theirs.result.ms, timed([], ['--input', ndjson]))
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** Resident memory in MB, where the system tells it in a file. */
function resident(pid: number): string {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 'unknown'
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1]
  return `${Math.round(Number(kilobytes) / 1024)} MB`
}

async function memory(rows: number): Promise<void> {
  say(`memory over ${rows} rows of 5 features by a pipe, with --state`)
  const place = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))
  try {
    const maker = spawn(process.execPath, [fileURLToPath(import.meta.url), 'rows', String(rows)])
    const argv = ['stream', '--target', 'y', '--per', 'batch', '--state', join(place, 's')]
    const child = spawn(process.execPath, [rlvi, ...argv], { stdio: [maker.stdout, 'pipe', 'inherit'] })
    const started = performance.now()
    let next = rows / 20
    for await (const line of createInterface({ input: child.stdout })) {
      const { last } = JSON.parse(line) as { last: number }
      if (last + 1 < next) continue
      const rate = Math.round((60 * (last + 1)) / (performance.now() - started))
      say(
        `  ${last + 1} rows: ${resident(child.pid!)} (${rate} thousand rows a minute, their making included)`,
      )
      next += rows / 10
    }
  } finally {
    rmSync(place, { recursive: true })
  }
}
