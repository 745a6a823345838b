import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'
import { csv, ndjson, streamRows } from '../testing/stream.js'
import { streamCommand } from './command.js'
import type { StreamFlags } from './options.js'

const folder = testFolder()
const rows = streamRows(900, 5).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))
const dirty = ndjson(rows).split('\n')
dirty.splice(40, 0, 'broken', '', '{"x1":1}')
dirty.splice(700, 0, '{"x1":"é€😀","x2":1,"y":0}')
const json = folder.file('rows.ndjson', dirty.join('\n').trimEnd())
const tables = [rows.slice(0, 434), rows.slice(434)].map((part, i) => folder.file(`rows${i}.csv`, csv(part)))
const state = join(folder.path, 'state.json')
const out = join(folder.path, 'out.ndjson')

interface Saved {
  readonly state: string
  /** What the output file held then. */
  readonly out: string
}

/** A whole run, with every checkpoint on its way. */
async function wholeRun(
  flags: StreamFlags,
): Promise<{ readonly saved: Saved[]; readonly out: string; readonly state: string }> {
  rmSync(state, { force: true })
  rmSync(out, { force: true })
  const saved: Saved[] = []
  const io = { out: async () => undefined, remark: () => undefined, terminal: false }
  await streamCommand({ target: 'y', state, out, checkpointEvery: '0', ...flags }, io, {
    // Pieces of a size that cuts rows in all places.
    atOnce: 1009,
    save(path, text) {
      saved.push({ state: text, out: existsSync(out) ? readFileSync(out, 'utf8') : '' })
      writeFileSync(path, text)
    },
  })
  return { saved, out: readFileSync(out, 'utf8'), state: readFileSync(state, 'utf8') }
}

const inputs: [string, string[], StreamFlags, string[]][] = [
  ['NDJSON with broken rows', [json], { batch: '7' }, ['--batch', '7']],
  ['two CSV files', tables, { batch: '64', per: 'batch' }, ['--batch', '64', '--per', 'batch']],
]

describe.each(inputs)('%s', (_, input, flags, argv) => {
  test('from every checkpoint the run ends in the same bytes, whatever had been written after it', async () => {
    const whole = await wholeRun({ input, ...flags })
    expect(whole.saved.length).toBeGreaterThan(10)
    const all = ['stream', '--target', 'y', ...argv, ...input.flatMap((file) => ['--input', file])]
    for (const [k, saved] of whole.saved.entries()) {
      writeFileSync(state, saved.state)
      // A kill may come after more lines, half a line among them, or right after the checkpoint.
      const later = whole.out.slice(saved.out.length)
      writeFileSync(out, saved.out + later.slice(0, (k * 997) % (later.length + 1)))
      const { status, remarks } = await run(...all, '--state', state, '--out', out)
      expect({ status, remarks: remarks.at(-1) }).toEqual({
        status: 0,
        remarks: expect.stringMatching(/^90\d rows/),
      })
      expect(readFileSync(out, 'utf8') === whole.out).toBe(true)
      expect(readFileSync(state, 'utf8') === whole.state).toBe(true)
    }
  })

  test('to a reader, each checkpoint is followed by the rest of the lines', async () => {
    const whole = await wholeRun({ input, ...flags })
    for (const saved of whole.saved) {
      writeFileSync(state, saved.state)
      const files = input.flatMap((file) => ['--input', file])
      const { out: rest } = await run('stream', '--target', 'y', ...argv, ...files, '--state', state)
      expect(rest === whole.out.slice(saved.out.length)).toBe(true)
    }
  })
})

test('rows that are added to an input are learned when the command is given again', async () => {
  const growing = folder.file('growing.ndjson', ndjson(rows.slice(0, 150)))
  const argv = ['stream', '--target', 'y', '--input', growing, '--state', join(folder.path, 'growing.json')]
  const first = await run(...argv)
  expect((await run(...argv)).out).toBe('')
  writeFileSync(growing, ndjson(rows.slice(0, 350)))
  const second = await run(...argv)
  const numbers = `${first.out}${second.out}`.matchAll(/"row":(\d+)/g)
  expect(Array.from(numbers, ([, row]) => Number(row))).toEqual(rows.slice(0, 350).map((_, i) => i + 1))
})

describe('what cannot be continued', () => {
  const input = folder.file('short.ndjson', ndjson(rows.slice(0, 250)))
  const argv = ['stream', '--target', 'y', '--input', input, '--state', state]
  const begin = async (...more: string[]): Promise<string> => {
    rmSync(state, { force: true })
    rmSync(out, { force: true })
    expect((await run(...argv, ...more)).status).toBe(0)
    return readFileSync(state, 'utf8')
  }
  const refused = async (message: RegExp, ...flags: string[]): Promise<void> => {
    const before = existsSync(state) ? readFileSync(state, 'utf8') : undefined
    const { status, remarks, out: reported } = await run(...flags)
    expect({ status, reported }).toEqual({ status: 1, reported: '' })
    expect(remarks).toEqual([expect.stringMatching(message)])
    if (before !== undefined) expect(readFileSync(state, 'utf8')).toBe(before)
  }

  test.each([
    ['--batch', '50', /was made with --batch 100, got 50; give the same flags, or another --state file/],
    ['--model', 'linear', /was made with --model logistic, got linear/],
    ['--method', 'sgd', /was made with --method calibrated, got sgd/],
    ['--features', 'x1', /was made with --features not given, got x1/],
    ['--classes', '1,0', /was made with --classes not given, got 1,0/],
    ['--per', 'batch', /was made with --per row, got batch/],
  ])('another %s', async (flag, value, message) => {
    await begin()
    await refused(message, ...argv, flag, value)
  })

  test('another input', async () => {
    await begin()
    // As long as the first one, and not the same.
    const other = folder.file('other.ndjson', ndjson(rows.slice(0, 250)).replace('"y":0', '"y":1'))
    const message =
      /other.ndjson: the \d+ bytes that the state was made from are needed, got others; give the input from its start.*--input-continues.*remove the state/
    await refused(message, 'stream', '--target', 'y', '--input', other, '--state', state)
    const short = folder.file('shorter.ndjson', ndjson(rows.slice(0, 100)))
    await refused(
      /the \d+ bytes that the state was made from are needed, got \d+;/,
      'stream',
      '--target',
      'y',
      '--input',
      short,
      '--state',
      state,
    )
  })

  test('a last line that went on', async () => {
    const path = folder.file('line.ndjson', '{"x1":1,"x2":2,"y":0}\n{"x1":2,"x2":1,"y":1}')
    rmSync(state, { force: true })
    const again = ['stream', '--target', 'y', '--input', path, '--state', state]
    await run(...again)
    writeFileSync(path, '{"x1":1,"x2":2,"y":0}\n{"x1":2,"x2":1,"y":1}x\n')
    await refused(
      /line 2 was learned when it ended without a newline, and must end there, got more of it/,
      ...again,
    )
    writeFileSync(path, '{"x1":1,"x2":2,"y":0}\n{"x1":2,"x2":1,"y":1}\n{"x1":3,"x2":1,"y":1}\n')
    expect((await run(...again)).out).toMatch(/^\{"row":3,"batch":2,[^\n]*\n$/)
  })

  test('a state that was cut, changed, emptied, or is something else', async () => {
    const text = await begin()
    for (const length of [1, 100, text.length - 3]) {
      writeFileSync(state, text.slice(0, length))
      await refused(
        /state.json: a state that rlvi stream wrote is needed, got "\{.*; restore it from a copy, or remove it/,
        ...argv,
      )
    }
    writeFileSync(state, '')
    await refused(/a state that rlvi stream wrote is needed, got an empty file/, ...argv)
    writeFileSync(state, text.replace(/"rows":250/, '"rows":249'))
    await refused(/a state as rlvi stream wrote it is needed, got a changed one/, ...argv)
    writeFileSync(state, '{"format":"rlvi-model"}')
    await refused(/state.json at format: a state has "rlvi-stream" there, got "rlvi-model"/, ...argv)
    writeFileSync(state, text.replace('"version":3', '"version":null'))
    await refused(/state.json at version: a state has 3 there, got null/, ...argv)
  })

  test('a state of another release', async () => {
    const text = await begin()
    for (const version of [1, 2]) {
      writeFileSync(state, text.replace('"version":3', `"version":${version}`))
      await refused(
        new RegExp(
          `state.json: a state of version 3 is needed, got one of version ${version}; another release of rlvi wrote it: ` +
            'go on with that one, or remove it to begin anew',
        ),
        ...argv,
      )
    }
  })

  test('an output of another run', async () => {
    await begin('--out', out)
    const lines = readFileSync(out, 'utf8')
    writeFileSync(out, lines.replace('"row":1', '"row":9'))
    await refused(
      /out.ndjson: the lines that belong to the state are needed, got others; give the file of the run before/,
      ...argv,
      '--out',
      out,
    )
    // A new one takes only what is new.
    rmSync(out)
    const { status, remarks } = await run(...argv, '--out', out)
    expect({ status, first: remarks[0] }).toEqual({
      status: 0,
      first: `${out}: does not hold the lines of the run before; only new lines are written to it`,
    })
  })
})
