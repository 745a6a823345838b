import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { testFolder } from '../testing/run.js'
import { ndjson, parsed, streamRows } from '../testing/stream.js'
import { unlearnedPieces } from './input/replay.js'
import type { Piece } from './input/sources.js'
import { type StreamFlags, streamOptions } from './options.js'
import { StreamSession, type Surroundings } from './session.js'

const folder = testFolder()
const rows = streamRows(200, 6).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))
const input = Buffer.from(ndjson(rows))

interface Opened {
  readonly session: StreamSession
  readonly out: () => string
  readonly remarks: string[]
  /** What was written to the state, time after time. */
  readonly states: string[]
}

/** A session that writes nowhere but here. Batches are of 30 rows. */
function open(flags: StreamFlags = {}, around: Partial<Surroundings> = {}): Opened {
  let out = ''
  const remarks: string[] = []
  const states: string[] = []
  const io = {
    async out(text: string) {
      out += text
    },
    remark: (line: string) => remarks.push(line),
    terminal: false,
  }
  const options = streamOptions({ target: 'y', batch: '30', input: ['rows.ndjson'], ...flags })
  const session = new StreamSession(options, {
    io,
    pipe: false,
    save: (_, text) => states.push(text),
    interrupt: () => undefined,
    ...around,
  })
  return { session, out: () => out, remarks, states }
}

function piece(bytes: Buffer): Piece {
  return { source: 0, bytes }
}
const end: Piece = { source: 0, bytes: undefined }

async function whole(): Promise<string> {
  const { session, out } = open()
  await session.feed(piece(input))
  await session.feed(end)
  await session.flush()
  session.close()
  return out()
}

describe('feed and flush', () => {
  test('bytes may be cut anywhere', async () => {
    const expected = await whole()
    expect(parsed(expected)).toHaveLength(200)
    for (const size of [1, 37, 4096]) {
      const { session, out } = open()
      for (let at = 0; at < input.length; at += size) await session.feed(piece(input.subarray(at, at + size)))
      await session.feed(end)
      await session.flush()
      session.close()
      expect(out()).toBe(expected)
    }
  })

  test('a batch is written as soon as it is full, and the rows that wait when they are flushed', async () => {
    const { session, out } = open()
    expect(session.started).toBe(false)
    await session.feed(piece(Buffer.from(ndjson(rows.slice(0, 29)))))
    expect({ started: session.started, out: out() }).toEqual({ started: true, out: '' })
    await session.feed(piece(Buffer.from(ndjson(rows.slice(29, 45)))))
    expect(parsed(out())).toHaveLength(30)
    expect(session.position.rows).toBe(30)
    await session.flush()
    expect(parsed(out())).toHaveLength(45)
    expect(session.position.rows).toBe(45)
    session.close()
  })

  test('the model is there from the first batch on', async () => {
    const { session } = open()
    expect(session.model).toBeUndefined()
    await session.feed(piece(input))
    expect(session.model).toMatchObject({ format: 'rlvi-model', rows: 180, target: { name: 'y' } })
    session.close()
  })

  test('no rows at all cannot be flushed', async () => {
    const { session } = open()
    await session.feed(end)
    await expect(session.flush()).rejects.toThrow('rows.ndjson: rows are needed, got none')
    session.close()
  })
})

describe('checkpoint', () => {
  const state = join(folder.path, 'state.json')
  const every = '86400'
  /** Time stands still until a test lets it go on: how busy the machine is makes no difference. */
  const holdTime = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('nothing is written without a state', async () => {
    const { session, states } = open()
    await session.feed(piece(input))
    session.checkpoint()
    session.close()
    expect(states).toEqual([])
  })

  test('one that is resumed ends in the same lines and the same state', async () => {
    const straight = open({ state, checkpointEvery: every })
    for (const bytes of [input.subarray(0, 5000), input.subarray(5000)])
      await straight.session.feed(piece(bytes))
    await straight.session.feed(end)
    await straight.session.flush()
    straight.session.checkpoint()
    straight.session.close()

    const first = open({ state, checkpointEvery: every })
    await first.session.feed(piece(input.subarray(0, 5000)))
    first.session.checkpoint()
    first.session.close()
    const saved = folder.file('resumed.json', first.states.at(-1)!)
    const second = open({ state: saved, checkpointEvery: every })
    const { resumed } = second.session
    expect(resumed?.position).toEqual(first.session.position)
    async function* again(): AsyncGenerator<Piece> {
      yield* [piece(input), end]
    }
    for await (const one of unlearnedPieces(again(), resumed, false, () => 'rows'))
      await second.session.feed(one)
    await second.session.flush()
    second.session.checkpoint()
    second.session.close()
    expect(first.out() + second.out()).toBe(straight.out())
    expect(second.states.at(-1)).toBe(straight.states.at(-1))
  })

  test('of a pipe it holds what was not learned, half a line included', async () => {
    const flags = { state, checkpointEvery: every }
    const first = open(flags, { pipe: true })
    await first.session.feed(piece(input.subarray(0, 5003)))
    first.session.checkpoint()
    first.session.close()
    const second = open({ ...flags, state: folder.file('pipe.json', first.states.at(-1)!) }, { pipe: true })
    const { resumed } = second.session
    expect(Buffer.from(resumed!.unlearned, 'base64')).toEqual(input.subarray(resumed!.position.bytes, 5003))
    async function* goingOn(): AsyncGenerator<Piece> {
      yield* [piece(input.subarray(5003)), end]
    }
    for await (const one of unlearnedPieces(goingOn(), resumed, true, () => 'stdin'))
      await second.session.feed(one)
    await second.session.flush()
    second.session.close()
    expect(first.out() + second.out()).toBe(await whole())
  })

  test('the state is there before the first line, and as often as asked for', async () => {
    const { session, states, out } = open({ state, checkpointEvery: '0' })
    await session.feed(piece(input.subarray(0, 100)))
    expect({ states: states.length, out: out() }).toEqual({ states: 0, out: '' })
    await session.feed(piece(input.subarray(100)))
    expect(states.map((text) => JSON.parse(text).position.rows)).toEqual([0, 180])
    session.close()
  })

  test('a row that ends a strict run: what came before it is written and remembered', async () => {
    const { session, states, out } = open({ state, checkpointEvery: every, strict: true })
    const broken = Buffer.from(`${ndjson(rows.slice(0, 70))}broken\n`)
    await expect(session.feed(piece(broken))).rejects.toThrow(
      'rows.ndjson line 71: a JSON object is needed, got "broken"',
    )
    session.close()
    expect(parsed(out())).toHaveLength(60)
    expect(JSON.parse(states.at(-1)!).position.rows).toBe(60)
  })

  test('one that fails while rows pause interrupts, and is the error of the next call', async () => {
    holdTime()
    let interrupted = 0
    let saves = 0
    const { session } = open(
      { state, checkpointEvery: '1' },
      {
        interrupt: () => interrupted++,
        save() {
          if (++saves > 1) throw new Error('no room')
        },
      },
    )
    await session.feed(piece(input))
    expect(interrupted).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(() => session.checkpoint()).toThrow('no room')
    await expect(session.feed(end)).rejects.toThrow('no room')
    await expect(session.flush()).rejects.toThrow('no room')
    session.close()
    expect(interrupted).toBe(1)
  })

  test('none is written after closing', async () => {
    holdTime()
    const [left, closed] = [1, 2].map(() => open({ state, checkpointEvery: '1' })) as [Opened, Opened]
    for (const { session } of [left, closed]) await session.feed(piece(input))
    closed.session.close()
    vi.advanceTimersByTime(1000)
    expect({ open: left.states.length, closed: closed.states.length }).toEqual({ open: 2, closed: 1 })
    left.session.close()
  })
})

test('an output file is cut back to the checkpoint and goes on from there', async () => {
  const [out, state] = ['lines.ndjson', 'lines.json'].map((name) => join(folder.path, name))
  const first = open({ out: out!, state: state!, checkpointEvery: '86400' })
  await first.session.feed(piece(input.subarray(0, 5000)))
  first.session.checkpoint()
  const { bytes } = JSON.parse(first.states.at(-1)!).out
  await first.session.feed(piece(input.subarray(5000)))
  first.session.close()
  expect(readFileSync(out!).length).toBeGreaterThan(bytes)
  folder.file('lines.json', first.states.at(-1)!)
  const second = open({ out: out!, state: state! })
  expect(readFileSync(out!)).toHaveLength(bytes)
  second.session.close()
})
