import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run, testFolder, uniforms } from '../testing/run.js'
import { ndjson, rlviBin, streamRows } from '../testing/stream.js'

// The process is killed at random moments, by SIGKILL, which it cannot hear of. Each time the same command is given
// again with the same input from its start. In the end nothing must show of it.

const folder = testFolder()
const rows = streamRows(12_000, 3).map(({ x1, x2, y }, i) =>
  i % 97 === 0 ? { x1: x1!, y: y! } : { x1: x1!, x2: x2!, y: y! },
)
// The first row tells the columns.
const input = Buffer.from(ndjson(rows.slice(1)))
const file = folder.file('rows.ndjson', input)
const argv = ['stream', '--target', 'y', '--batch', '40']
const path = (name: string): string => join(folder.path, name)

const whole = (async () => {
  const [state, out] = [path('whole.json'), path('whole.ndjson')]
  expect((await run(...argv, '--input', file, '--state', state, '--out', out)).status).toBe(0)
  return { state: readFileSync(state, 'utf8'), out: readFileSync(out, 'utf8') }
})()

/** Feeds a part of the input, in pieces, and leaves the pipe open: the process cannot come to its end by itself. */
function feed(child: ChildProcess, bytes: number, open: boolean): void {
  child.stdin!.on('error', () => undefined)
  child.stdin!.write(input.subarray(0, bytes))
  if (!open) child.stdin!.end()
}

interface Attempt {
  readonly extra: readonly string[]
  /** Grows as the process reports more. */
  progress(): number
  spawned(child: ChildProcess): void
}

/** How far the state is. */
function place(state: string): number {
  return existsSync(state) ? JSON.parse(readFileSync(state, 'utf8')).position.bytes : 0
}

/**
 * Kills as often as asked; then one run is left alone. Of four kills one comes while the process starts or looks for its place, one
 * when it has reported something new, and two when it has remembered something new: each a little later than that, but never
 * sooner, however slow the machine is. Returns how many of the last kind there were, and from how many places the runs went on.
 */
async function killedRun(
  kills: number,
  seed: number,
  state: string,
  attempt: Attempt,
): Promise<{ readonly remembered: number; readonly places: number }> {
  const random = uniforms(seed)
  const places = new Set<number>()
  let most = 0
  let remembered = 0
  for (let k = 0; k <= kills; k++) {
    const every = ['0', '0', '0.05'][Math.floor(3 * random())]!
    const extra = [...attempt.extra, '--state', state, '--checkpoint-every', every]
    const child = spawn(process.execPath, [rlviBin, ...argv, ...extra], { stdio: 'pipe' })
    let err = ''
    child.stderr.on('data', (piece) => {
      err = `${err}${piece}`.slice(-300)
    })
    const closed = new Promise<number | string | null>((resolve) =>
      child.on('close', (status, signal) => resolve(status ?? signal)),
    )
    attempt.spawned(child)
    if (k === kills) {
      feed(child, input.length, false)
      expect({ status: await closed, err }).toEqual({
        status: 0,
        err: expect.stringMatching(/11999 rows, 123 of them/),
      })
      break
    }
    // Each time some batches more than the last time.
    feed(child, Math.floor((input.length * (k + 0.5 + 0.5 * random())) / kills), true)
    const until = async (condition: () => boolean): Promise<void> => {
      while (!condition() && child.exitCode === null) await sleep(2)
    }
    const before = place(state)
    const kind = Math.floor(4 * random())
    if (kind === 0) await sleep(300 * random())
    else if (kind === 1) await until(() => attempt.progress() > most)
    else {
      remembered++
      await until(() => place(state) > before)
    }
    await sleep(40 * random())
    child.kill('SIGKILL')
    expect({ status: await closed, err }).toMatchObject({ status: 'SIGKILL' })
    most = Math.max(most, attempt.progress())
    places.add(place(state))
  }
  return { remembered, places: places.size }
}

test('killed 30 times, the output file and the state end as those of an undisturbed run', {
  timeout: 600_000,
}, async () => {
  const [state, out] = [path('killed.json'), path('killed.ndjson')]
  const { remembered, places } = await killedRun(30, 1, state, {
    extra: ['--out', out],
    progress: () => (existsSync(out) ? statSync(out).size : 0),
    spawned: (child) => child.stdout!.resume(),
  })
  expect(readFileSync(out, 'utf8') === (await whole).out).toBe(true)
  expect(readFileSync(state, 'utf8') === (await whole).state).toBe(true)
  // A test that killed only idle or unstarted processes would show nothing.
  expect(remembered).toBeGreaterThan(8)
  expect(places).toBeGreaterThanOrEqual(remembered)
})

test('killed 12 times, a reader that drops rows it has seen has every line once', {
  timeout: 600_000,
}, async () => {
  let next = 0
  let seen = ''
  let reported = 0
  const state = path('piped.json')
  const { remembered, places } = await killedRun(12, 2, state, {
    extra: [],
    progress: () => next,
    spawned(child) {
      // Half a line before a kill is no line.
      let rest = ''
      child.stdout!.on('data', (piece) => {
        const lines = (rest + piece).split('\n')
        rest = lines.pop()!
        for (const line of lines) {
          reported++
          const { row } = JSON.parse(line)
          if (row < next) continue
          seen += `${line}\n`
          next = row + 1
        }
      })
    },
  })
  expect(seen === (await whole).out).toBe(true)
  expect(readFileSync(state, 'utf8') === (await whole).state).toBe(true)
  expect(remembered).toBeGreaterThan(3)
  expect(places).toBeGreaterThanOrEqual(remembered)
  expect(reported).toBeGreaterThanOrEqual(seen.split('\n').length - 1)
})
