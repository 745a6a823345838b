import { spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'
import { ndjson, rlvi, rlviBin, streamRows } from '../testing/stream.js'

const folder = testFolder()
const rows = streamRows(1000, 9).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))
const input = ndjson(rows)
const file = folder.file('rows.ndjson', input)
const path = (name: string): string => join(folder.path, name)
const whole = run('stream', '--target', 'y', '--batch', '30', '--input', file)

test.skipIf(!existsSync('/dev/full'))('an output that cannot be written is a failure', async () => {
  for (const running of [
    rlvi(['--input', file], ['ignore', openSync('/dev/full', 'w'), 'pipe']),
    rlvi(['--input', file, '--out', '/dev/full']),
  ]) {
    expect(await running.status).toBe(1)
    expect(running.err()).toMatch(/^(stdout|\/dev\/full): could not be written, got .*(disk is full|ENOSPC)/)
  }
})

/** No file may grow beyond so many blocks of 1024 bytes, as on a disk that is nearly full. */
function nearlyFull(
  blocks: number,
  argv: readonly string[],
): Promise<{ readonly status: unknown; readonly err: string }> {
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`
  const all = [process.execPath, rlviBin, 'stream', '--target', 'y', '--batch', '30', ...argv]
  const child = spawn('bash', ['-c', script, ...all], { stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, err })))
}
const besides = (): string[] => readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))

test('a disk too full for the lines: the run goes on when there is room', async () => {
  const argv = ['--input', file, '--state', path('full.json'), '--out', path('full.ndjson')]
  const { status, err } = await nearlyFull(40, argv)
  expect(status).toBe(1)
  expect(err).toMatch(/full.ndjson: could not be written, got the largest size of a file is reached/)
  expect(besides()).toEqual([])
  expect(await rlvi(argv).status).toBe(0)
  expect(readFileSync(path('full.ndjson'), 'utf8')).toBe((await whole).out)
})

test('a disk too full for the state: the one before stays', async () => {
  const growing = folder.file('state-full.ndjson', ndjson(rows.slice(0, 300)))
  const argv = ['--input', growing, '--state', path('state-full.json')]
  expect(await rlvi(argv).status).toBe(0)
  const before = readFileSync(path('state-full.json'), 'utf8')
  expect(before.length).toBeGreaterThan(1024)
  writeFileSync(growing, input)
  const { status, err } = await nearlyFull(1, argv)
  expect(status).toBe(1)
  expect(err).toMatch(
    /state-full.json: could not be written, got the largest size of a file is reached; the file before is still there/,
  )
  expect(readFileSync(path('state-full.json'), 'utf8')).toBe(before)
  expect(besides()).toEqual([])
  const last = rlvi(argv)
  expect(await last.status).toBe(0)
  expect(last.out()).toBe((await whole).out.split('\n').slice(300).join('\n'))
})

test('of two runs with one state, the second one is refused before it does anything', async () => {
  const state = path('shared.json')
  const out = path('shared.ndjson')
  const argv = ['--state', state, '--out', out, '--checkpoint-every', '0']
  const first = rlvi(argv)
  first.child.stdin!.write(ndjson(rows.slice(0, 30)))
  while (!existsSync(state)) await sleep(5)
  const second = rlvi(argv)
  second.child.stdin!.end(input)
  expect(await second.status).toBe(1)
  expect(second.err()).toBe(
    `${state}: one run at a time is needed, got process ${first.child.pid} at work on it; end the other one first; ` +
      `if there is none, remove ${state}.lock\n`,
  )
  first.child.stdin!.end(ndjson(rows.slice(30)))
  expect(await first.status).toBe(0)
  expect(readFileSync(out, 'utf8')).toBe((await whole).out)
  expect(existsSync(`${state}.lock`)).toBe(false)
})

test('of two runs with one file of lines and no state, or another, the second one is refused', async () => {
  const out = path('lines.ndjson')
  const first = rlvi(['--out', out])
  first.child.stdin!.write(ndjson(rows.slice(0, 30)))
  while (!existsSync(out)) await sleep(5)
  for (const more of [[], ['--state', path('another.json')]]) {
    const second = rlvi(['--out', out, ...more])
    second.child.stdin!.end(input)
    expect(await second.status).toBe(1)
    expect(second.err()).toMatch(
      `${out}: one run at a time is needed, got process ${first.child.pid} at work on it`,
    )
  }
  first.child.stdin!.end(ndjson(rows.slice(30)))
  expect(await first.status).toBe(0)
  expect(readFileSync(out, 'utf8')).toBe((await whole).out)
  expect(readdirSync(folder.path).filter((name) => /^(another|.*\.lock)/.test(name))).toEqual([])
})
