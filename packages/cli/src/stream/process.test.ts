import { appendFileSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'
import { csv, ndjson, parsed, rlvi, streamRows } from '../testing/stream.js'

const folder = testFolder()
const rows = streamRows(1000, 9).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))
const input = ndjson(rows)
const file = folder.file('rows.ndjson', input)
const path = (name: string): string => join(folder.path, name)
const whole = run('stream', '--target', 'y', '--batch', '30', '--input', file)

test('rows by a pipe, in pieces that cut lines and signs, are the rows of a file', async () => {
  const running = rlvi([])
  const bytes = Buffer.from(`\ufeff${input.replaceAll('\n', '\r\n')}{"é€😀":1}`)
  for (let at = 0; at < bytes.length; at += 3333) {
    running.child.stdin!.write(bytes.subarray(at, at + 3333))
    await sleep(1)
  }
  running.child.stdin!.end()
  expect(await running.status).toBe(0)
  expect(running.out()).toBe((await whole).out)
  expect(running.err()).toBe(
    'stdin line 1001: column "y": a value is missing; row 1001 is left out\n1001 rows, 1 of them broken and left out\n',
  )
})

test('lines come as soon as a batch is full', async () => {
  const running = rlvi([])
  running.child.stdin!.write(ndjson(rows.slice(0, 31)))
  await running.lines(30)
  expect(parsed(running.out()).length).toBe(30)
  running.child.stdin!.end()
  expect(await running.status).toBe(0)
  expect(parsed(running.out()).length).toBe(31)
})

test('a reader that goes away is no error, and what it missed is reported to the next one', async () => {
  const long = folder.file('long.ndjson', input.repeat(40))
  const argv = ['--input', long, '--state', path('gone.json'), '--checkpoint-every', '0']
  const running = rlvi(argv)
  running.child.stdout!.on('data', () => {
    if (running.out().length > 2_500_000) running.child.stdout!.destroy()
  })
  expect(await running.status).toBe(0)
  expect(running.err()).toBe('')
  const { out } = JSON.parse(readFileSync(path('gone.json'), 'utf8'))
  const next = rlvi(argv)
  expect(await next.status).toBe(0)
  const all = await run('stream', '--target', 'y', '--batch', '30', '--input', long)
  expect(out.bytes).toBeGreaterThan(100_000)
  expect(running.out() === all.out.slice(0, running.out().length)).toBe(true)
  expect(next.out() === all.out.slice(out.bytes)).toBe(true)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the state is written, and the same command goes on',
  async (signal) => {
    const argv = ['--state', path(`${signal}.json`), '--checkpoint-every', '3600']
    const first = rlvi(argv)
    // The last row is cut in the middle.
    first.child.stdin!.write(Buffer.from(input).subarray(0, 12_345))
    await first.lines(60)
    first.child.kill(signal)
    expect(await first.status).toBe(0)
    expect(first.err()).toMatch(/^\d+ rows; stopped, the same command goes on from here\n$/)
    const second = rlvi(argv)
    second.child.stdin!.end(input)
    expect(await second.status).toBe(0)
    expect(first.out() + second.out()).toBe((await whole).out)
  },
)

test('SIGTERM without a state: the rows that wait are learned', async () => {
  const running = rlvi([])
  running.child.stdin!.write(ndjson(rows.slice(0, 47)))
  await running.lines(30)
  running.child.kill('SIGTERM')
  expect(await running.status).toBe(0)
  expect(parsed(running.out()).length).toBe(47)
})

test('--input-continues: stdin goes on where the last run stopped reading', async () => {
  const bytes = Buffer.from(csv(rows))
  const argv = ['--state', path('continues.json'), '--input-continues']
  let out = ''
  let at = 0
  let wait = 400
  // Within the header, within the first batch, within a row.
  for (const end of [4, 700, 12_345, 20_001]) {
    while (at < end) {
      const running = rlvi(argv)
      running.child.stdin!.write(bytes.subarray(at, end))
      await sleep(wait)
      running.child.kill('SIGTERM')
      // On a slow machine it may not have begun yet: then nothing has been read.
      wait *= (await running.status) === 0 ? 1 : 2
      if (running.child.exitCode !== 0) continue
      out += running.out()
      const { position, unlearned } = JSON.parse(readFileSync(path('continues.json'), 'utf8'))
      at = position.bytes + Buffer.from(unlearned, 'base64').length
    }
  }
  const last = rlvi(argv)
  last.child.stdin!.end(bytes.subarray(at))
  expect(await last.status).toBe(0)
  expect(out + last.out()).toBe((await whole).out)
})

test('--follow waits for more lines, and for the end of a line', async () => {
  const growing = folder.file('growing.ndjson', Buffer.from(input).subarray(0, 5000))
  const running = rlvi(
    ['--input', growing, '--follow', '--state', path('follow.json')],
    ['ignore', 'pipe', 'pipe'],
  )
  await running.lines(30)
  appendFileSync(growing, Buffer.from(input).subarray(5000))
  await running.lines(990)
  running.child.kill('SIGTERM')
  expect(await running.status).toBe(0)
  expect(running.out()).toBe((await whole).out.split('\n').slice(0, 990).join('\n').concat('\n'))
})

test('--follow: a file that was cut or replaced is an error', async () => {
  for (const change of ['cut', 'replaced']) {
    const followed = folder.file(`${change}.ndjson`, input)
    const running = rlvi(['--input', followed, '--follow'], ['ignore', 'pipe', 'pipe'])
    await running.lines(990)
    if (change === 'cut') writeFileSync(followed, '')
    else renameSync(folder.file('new.ndjson', input), followed)
    expect(await running.status).toBe(1)
    expect(running.err()).toMatch(
      /ndjson: a file that is followed must only grow, got .*; to follow a file that is rotated: tail -F/,
    )
  }
})

test('stdout that is appended to a file is cut back to the checkpoint', async () => {
  const out = folder.file('appended.ndjson', 'before\n')
  const argv = ['--input', file, '--state', path('appended.json')]
  const append = (): ('ignore' | 'pipe' | number)[] => ['ignore', openSync(out, 'a'), 'pipe']
  expect(await rlvi(argv, append()).status).toBe(0)
  const done = readFileSync(out, 'utf8')
  expect(done).toBe(`before\n${(await whole).out}`)
  appendFileSync(out, '{"row":990,"bat')
  expect(await rlvi(argv, append()).status).toBe(0)
  expect(readFileSync(out, 'utf8')).toBe(done)
  // Another file is not: it may hold what somebody needs.
  writeFileSync(out, 'something else\n'.repeat(20_000))
  const other = rlvi(argv, append())
  expect(await other.status).toBe(0)
  expect(other.err()).toMatch(
    /^stdout: does not hold the lines of the run before; only new lines are written to it\n/,
  )
  expect(readFileSync(out, 'utf8')).toBe('something else\n'.repeat(20_000))
})

test('lines appended to a file before the first checkpoint are not reported twice', async () => {
  const out = folder.file('early.ndjson', 'before\n')
  const argv = ['--state', path('early.json')]
  const first = rlvi([...argv, '--checkpoint-every', '3600'], ['pipe', openSync(out, 'a'), 'pipe'])
  first.child.stdin!.write(ndjson(rows.slice(0, 100)))
  while (readFileSync(out, 'utf8').split('\n').length < 90) await sleep(5)
  first.child.kill('SIGKILL')
  await first.status
  const second = rlvi(argv, ['pipe', openSync(out, 'a'), 'pipe'])
  second.child.stdin!.end(input)
  expect(await second.status).toBe(0)
  expect(readFileSync(out, 'utf8')).toBe(`before\n${(await whole).out}`)
})

test('the state is also written when rows pause', async () => {
  const running = rlvi(['--state', path('pause.json'), '--checkpoint-every', '0.3'])
  running.child.stdin!.write(ndjson(rows.slice(0, 40)))
  await running.lines(30)
  const rowsOf = (): number => JSON.parse(readFileSync(path('pause.json'), 'utf8')).position.rows
  while (rowsOf() === 0 && running.child.exitCode === null) await sleep(10)
  expect(rowsOf()).toBe(30)
  running.child.stdin!.end()
  expect(await running.status).toBe(0)
  expect(rowsOf()).toBe(40)
})
