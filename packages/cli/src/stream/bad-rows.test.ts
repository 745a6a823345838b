import { describe, expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'
import { ndjson, parsed, streamRows } from '../testing/stream.js'

const folder = testFolder()
const good = streamRows(6, 1).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))
const lines = ndjson(good).trimEnd().split('\n')
const table = ['x1,x2,y', ...good.map(({ x1, x2, y }) => `${x1},${x2},${y}`)]

/** The line to put in as line 4, and what is reported of it. */
const broken: [string, string[], string, RegExp][] = [
  [
    'half an object',
    lines,
    '{"x1":1,',
    /line 4: a JSON object is needed, got "\{\\"x1\\":1,"; row 4 is left out$/,
  ],
  ['a list', lines, '[1,2]', /line 4: a JSON object is needed, got \[1, 2\]; row 4/],
  ['NaN in JSON', lines, '{"x1":NaN,"x2":1,"y":0}', /line 4: a JSON object is needed, got "\{\\"x1\\":NaN/],
  ['a missing key', lines, '{"x1":1,"y":0}', /line 4: column "x2": a value is missing; row 4/],
  ['null', lines, '{"x1":1,"x2":null,"y":0}', /line 4: column "x2": a value is missing; row 4/],
  ['a word', lines, '{"x1":"abc","x2":1,"y":0}', /line 4: column "x1": a number is needed, got "abc"; row 4/],
  [
    'a list as value',
    lines,
    '{"x1":[1],"x2":1,"y":0}',
    /line 4: column "x1": a number is needed, got \[1\]; row 4/,
  ],
  [
    'infinity',
    lines,
    '{"x1":1e999,"x2":1,"y":0}',
    /line 4: column "x1": a finite number is needed, got Infinity/,
  ],
  ['no target', lines, '{"x1":1,"x2":1}', /line 4: column "y": a value is missing; row 4/],
  [
    'another label',
    lines,
    '{"x1":1,"x2":1,"y":2}',
    /line 4: column "y": one of the labels "0", "1" is needed, got 2;/,
  ],
  ['an escape', lines, '\u001b[31m', /line 4: a JSON object is needed, got "\\u001b\[31m"; row 4/],
  [
    'too few values',
    table,
    '1,2',
    /line 4: as many values as the header has, 3, are needed, got 2; row 3 is left out$/,
  ],
  [
    'too many values',
    table,
    '1,2,0,4',
    /line 4: as many values as the header has, 3, are needed, got 4; row 3/,
  ],
  ['a word in CSV', table, '1,abc,0', /line 4: column "x2": a number is needed, got "abc"; row 3/],
  ['nothing in CSV', table, '1,,0', /line 4: column "x2": a value is missing; row 3/],
  ['NaN in CSV', table, '1,NaN,0', /line 4: column "x2": a value is missing; row 3/],
  ['infinity in CSV', table, '1,inf,0', /line 4: column "x2": a number is needed, got "inf"; row 3/],
  ['an open quote', table, '1,"2,0', /line 4: a quote must end within 1048576 bytes, got none; row 3/],
  [
    'a torn quote',
    table,
    '"1"0,2,0',
    /line 4: a value must end where its quote ends, got more behind it; row 3/,
  ],
]

describe.each(broken)('%s', (name, before, line, message) => {
  const file = folder.file(`${name}.txt`, [...before.slice(0, 3), line, ...before.slice(3)].join('\n'))
  const argv = ['stream', '--target', 'y', '--batch', '4', '--input', file]

  test('is reported with its line and left out', async () => {
    const without = folder.file(`${name}-without.txt`, before.join('\n'))
    const reported = await run(...argv)
    expect(reported.status).toBe(0)
    expect(reported.remarks[0]).toMatch(message)
    expect(reported.remarks[0]).toContain(file)
    expect(reported.remarks.slice(1)).toEqual(['7 rows, 1 of them broken and left out'])
    // All others are learned as if it had never been there; only their numbers know of it.
    const rest = parsed((await run('stream', '--target', 'y', '--batch', '4', '--input', without)).out)
    const place = before === table ? 3 : 4
    expect(parsed(reported.out)).toEqual(
      rest.map((one) => ({ ...one, row: one.row < place ? one.row : one.row + 1 })),
    )
  })

  test('stops a strict run', async () => {
    const { status, remarks, out } = await run(...argv, '--strict')
    expect(status).toBe(1)
    expect(remarks.length).toBe(1)
    expect(`${remarks[0]}; row ${before === table ? 3 : 4} is left out`).toMatch(message)
    expect(out).toBe('')
  })
})

test('a strict run reports what it learned before the broken row', async () => {
  const file = folder.file('strict.ndjson', [...lines.slice(0, 5), 'x', ...lines].join('\n'))
  const { status, out } = await run('stream', '--target', 'y', '--batch', '2', '--input', file, '--strict')
  expect(status).toBe(1)
  expect(parsed(out).map(({ row }) => row)).toEqual([1, 2, 3, 4])
})

test('blank lines are no rows', async () => {
  const blank = folder.file('blank.ndjson', `\n\n${lines.join('\n \r\n\n')}\n\n\n`)
  const plain = folder.file('plain.ndjson', lines.join('\n'))
  const argv = ['stream', '--target', 'y', '--input']
  expect(await run(...argv, blank)).toEqual(await run(...argv, plain))
})

test('floods of broken rows are counted instead of reported one by one', async () => {
  const file = folder.file('flood.ndjson', `${lines.join('\n')}\n${'oops\n'.repeat(250)}`)
  const { remarks } = await run('stream', '--target', 'y', '--input', file)
  expect(remarks.length).toBe(103)
  expect(remarks.slice(100)).toEqual([
    'more broken rows within this minute are only counted',
    '150 more broken rows were left out',
    '256 rows, 250 of them broken and left out',
  ])
})
