import { describe, expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'

const folder = testFolder()
const file = folder.file('good.csv', 'height,weight,city,y\n1,2,oslo,0\n2,3,rome,1\n')
const y = ['--target', 'y']

/** Invalid command lines. */
const usage: [string, string[], RegExp][] = [
  ['no target', [], /^--target: the column to explain is needed, got "none"/],
  [
    'another model',
    [...y, '--model', 'poisson'],
    /^--model: one of logistic, linear, softmax is needed, got "poisson"/,
  ],
  [
    'another method',
    [...y, '--method', 'ml'],
    /^--method: one of calibrated, paper, rrm, sgd is needed, got "ml"/,
  ],
  ['no such flag', [...y, '--sate', 's.json'], /^rlvi stream: unknown option, got "--sate"; did you mean --/],
  ['no batch', [...y, '--batch', '0'], /^--batch: a whole number of at least 1 is needed, got "0"/],
  [
    'a huge batch',
    [...y, '--batch', '9999999'],
    /^--batch: at most 1000000 rows are learned at once, got "9999999"/,
  ],
  ['an argument', [...y, file], /too many arguments.*; name files by --input FILE, or see/],
  [
    'both choices',
    [...y, '--features', 'a', '--exclude', 'b'],
    /^--exclude: give either --features or --exclude, got "b"/,
  ],
  [
    'assume alone',
    [...y, '--assume', '.2'],
    /^--assume: is for --method rrm only, got "--method calibrated"/,
  ],
  [
    'softmax alone',
    [...y, '--model', 'softmax'],
    /^--classes: --model softmax needs the labels, got "none"; .*--classes A,B,C/,
  ],
  [
    'three for two',
    [...y, '--model', 'logistic', '--classes', 'a,b,c'],
    /^--classes: --model logistic needs two, got "a,b,c"; use --model softmax/,
  ],
  [
    'labels for numbers',
    [...y, '--model', 'linear', '--classes', 'a,b'],
    /^--classes: --model linear has none/,
  ],
  ['a label twice', [...y, '--classes', 'a,a'], /^--classes: each name is given once, got "a"/],
  [
    'an empty label',
    [...y, '--classes', 'a,,b'],
    /^--classes: names separated by commas are needed, got "a,,b"/,
  ],
  ['no values', [...y, '--categories', 'city'], /^--categories: COLUMN=A,B,C is needed, got "city"/],
  [
    'one value',
    [...y, '--categories', 'city=a'],
    /^--categories: at least two values are needed, got "city=a"/,
  ],
  ['another format', [...y, '--format', 'xml'], /^--format: one of ndjson, csv is needed, got "xml"/],
  ['another unit', [...y, '--per', 'hour'], /^--per: one of row, batch is needed, got "hour"/],
  [
    'no seconds',
    [...y, '--state', 's', '--checkpoint-every', '-1'],
    /^--checkpoint-every: seconds, .*got "-1"/,
  ],
  ['seconds alone', [...y, '--checkpoint-every', '1'], /^--checkpoint-every: --state FILE is needed/],
  ['continues alone', [...y, '--input-continues'], /^--input-continues: --state FILE is needed/],
  [
    'a file that continues',
    [...y, '--input-continues', '--state', 's', '--input', file],
    /^--input-continues: is for rows from stdin, got "--input /,
  ],
  [
    'two followed',
    [...y, '--follow', '--input', 'a', '--input', 'b'],
    /^--follow: at most one --input can be followed, got "a,b"/,
  ],
  [
    'out over input',
    [...y, '--input', file, '--out', file],
    /^--out: a file of its own is needed, got .*; it would be overwritten/,
  ],
  [
    'state over out',
    [...y, '--input', file, '--out', 'o', '--state', 'o'],
    /^--state: a file of its own is needed, got "o"/,
  ],
  [
    'the target as feature',
    [...y, '--input', file, '--features', 'y'],
    /^--features: the target cannot explain itself, got "y"/,
  ],
]

test.each(usage)('usage: %s', async (_, argv, message) => {
  const { status, remarks, out } = await run('stream', ...argv)
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(remarks.length).toBe(1)
  expect(remarks[0]).toMatch(message)
})

/** Inputs that are no rows. */
const inputs: [string, string | Uint8Array, string[], RegExp][] = [
  ['nothing', '', [], /: rows are needed, got none$/],
  ['blanks', '\n \n', [], /: rows are needed, got none$/],
  ['a header alone', 'a,b,y\n', [], /: rows are needed, got a header alone$/],
  ['nothing good', '{\n"a": 1\n}\n', [], /: rows are needed, got 3 broken rows$/],
  [
    'a list',
    '[{"a":1,"y":0}]',
    [],
    /: rows as CSV, or as a JSON object a line, are needed, got a JSON array; jq/,
  ],
  ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), [], /are needed, got a compressed file; zcat .* gives its rows/],
  ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0), [], /are needed, got UTF-16; iconv/],
  [
    'no header',
    '1,2,0\n3,4,1\n',
    [],
    /line 1: a header with the names of the columns is needed, got numbers in it/,
  ],
  ['a name twice', 'a,a,y\n1,2,0\n', [], /line 1: every column needs a name of its own, got "a"/],
  ['a name missing', 'a,,y\n1,2,0\n', [], /line 1: every column needs a name, got none for column 2/],
  ['one column', 'y\n1\n', [], /at least one feature is needed/],
  [
    'another target',
    'height,weight\n1,2\n',
    [],
    /^--target: a column of the file is needed, got "y"; the columns are "height", "weight"/,
  ],
  [
    'a misspelt target',
    '{"height":1,"weight":2}',
    ['--target', 'wieght'],
    /^--target: .* got "wieght"; did you mean "weight"\?/,
  ],
  [
    'a misspelt feature',
    'height,y\n1,0\n',
    ['--features', 'heigth'],
    /^--features: .* got "heigth"; did you mean "height"\?/,
  ],
  [
    'a misspelt exclusion',
    'height,y\n1,0\n',
    ['--exclude', 'heigth'],
    /^--exclude: .* got "heigth"; did you mean "height"\?/,
  ],
  [
    'a misspelt category',
    'height,y\n1,0\n',
    ['--categories', 'heigth=1,2'],
    /^--categories: .* did you mean "height"\?/,
  ],
  [
    'a text column',
    'city,x,y\noslo,1,0\n',
    [],
    /^column "city": numbers are needed, got "oslo" in the first row; leave it out by --exclude city, or list its values by --categories city=A,B,C/,
  ],
  [
    'a nested column',
    '{"x":{"a":1},"y":0}',
    [],
    /^column "x": numbers are needed, got \{"a":1\} in the first row; leave it out/,
  ],
  [
    'labels of other names',
    'x,y\n1,cat\n',
    [],
    /^column "y": the labels are "0", "1", got "cat" in the first row; name others by --classes A,B$/,
  ],
  [
    'numbers for labels',
    'x,y\n1,3.7\n',
    [],
    /got "3\.7" in the first row; .*for numbers use --model linear$/,
  ],
  [
    'labels for numbers',
    'x,y\n1,cat\n',
    ['--model', 'linear'],
    /^column "y": numbers are needed, got "cat" in the first row; for labels use/,
  ],
  [
    'control signs in a name',
    'a\u001b[31mb,y\n1,0\n',
    ['--target', 'z'],
    /the columns are "a\\u001b\[31mb", "y"/,
  ],
]

describe('input', () => {
  test.each(inputs)('%s', async (name, content, flags, message) => {
    const path = folder.file(`${name}.txt`, content)
    const argv = flags.includes('--target') ? flags : [...y, ...flags]
    const { status, remarks } = await run('stream', ...argv, '--input', path)
    expect(status).toBe(1)
    expect(remarks.at(-1)).toMatch(message)
  })

  test('a file that is not there, and a folder', async () => {
    expect((await run('stream', ...y, '--input', `${folder.path}/none`)).remarks).toEqual([
      `${folder.path}/none: could not be read, got no such file or folder`,
    ])
    expect((await run('stream', ...y, '--input', folder.path)).remarks[0]).toMatch(
      /a file to read is needed, got a folder/,
    )
  })

  test('a second file of other columns', async () => {
    const first = folder.file('first.csv', 'a,b,y\n1,2,0\n')
    const second = folder.file('second.csv', 'b,a,y\n1,2,0\n')
    const { status, remarks } = await run('stream', ...y, '--input', first, '--input', second)
    expect(status).toBe(1)
    expect(remarks[0]).toBe(
      `${second} line 1: the columns of the input before it, "a", "b", "y", are needed, got ["b", "a", "y"]`,
    )
  })

  test('a folder for the output that is not there', async () => {
    const { status, remarks } = await run('stream', ...y, '--input', file, '--out', `${folder.path}/none/o`)
    expect(status).toBe(1)
    expect(remarks[0]).toMatch(/could not be written, got no such file or folder; check the folder/)
  })

  test('an older output stays when nothing could be read', async () => {
    const out = folder.file('older', 'older')
    await run('stream', ...y, '--input', `${folder.path}/none`, '--out', out)
    expect(await import('node:fs').then(({ readFileSync }) => readFileSync(out, 'utf8'))).toBe('older')
  })
})
