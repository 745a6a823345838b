import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { normals, run, testFolder } from './testing/run.js'

const folder = testFolder()
const z = normals(1)
const numbers = Array.from({ length: 30 }, () => [z(), z(), z()] as const)
const good = folder.csv('good.csv', [['x1', 'x2', 'y'], ...numbers])

describe('an invalid command line', () => {
  const cases: [string[], RegExp][] = [
    [['fit', good], /--target: the column to explain is needed, got "none"; or choose --model mean/],
    [['fit', good, '--target', 'y', '--model', 'pca'], /--target: --model pca has none, got "y"/],
    [
      ['fit', good, '--target', 'y', '--model', 'lienar'],
      /--model: one of linear, logistic.* got "lienar"; did you mean linear\?$/,
    ],
    [['fit', good, '--target', 'y', '--method', 'best'], /--method: one of calibrated, paper.* got "best"/],
    [
      ['fit', good, '--target', 'y', '--method', 'sever', '--assume', '1.2'],
      /--assume: .* 0 and 1 .*got "1.2"/,
    ],
    [['fit', good, '--target', 'y', '--method', 'rrm', '--assume', ''], /--assume: .*got ""/],
    [
      ['fit', good, '--target', 'y', '--assume', '.2'],
      /--assume: --method calibrated infers it, got 0.2; leave it out/,
    ],
    [
      ['fit', good, '--target', 'y', '--method', 'paper', '--assume', '.2'],
      /--assume: .* only --model covariance .*got 0.2; leave it out/,
    ],
    [['fit', good, '--target', 'y', '--method', 'ml', '--assume', '.2'], /--assume: --method ml has no use/],
    [
      ['fit', good, '--model', 'mean', '--method', 'huber'],
      /--method huber: is for --model linear only, got "mean"/,
    ],
    [
      ['fit', good, '--model', 'mean', '--errors', 'varying'],
      /--errors varying: is for --model linear only, got "mean"; --model mean takes auto, normal, student, skewed$/,
    ],
    [
      ['fit', good, '--target', 'y', '--method', 'ml', '--errors', 'normal'],
      /--errors: is for --method calibrated only, got "ml"; leave it out/,
    ],
    [
      ['fit', good, '--target', 'y', '--model', 'logistic', '--errors', 'student'],
      /--errors student: .* got "logistic"; leave it out for labels/,
    ],
    [
      ['fit', good, '--target', 'y', '--errors', 'studnet'],
      /--errors: one of auto, normal, .* is needed, got "studnet"; did you mean student\?$/,
    ],
    [['fit', good, '--target', 'y', '--components', '2'], /--components: is for --model pca only/],
    [
      ['fit', good, '--model', 'pca', '--components', '0'],
      /--components: a whole number of at least 1.*got "0"/,
    ],
    [['fit', good, '--model', 'pca', '--no-intercept'], /--no-intercept: is for models with a target/],
    [['fit', good, '--target', 'y', '--features', 'x1', '--exclude', 'x2'], /either --features or --exclude/],
    [['fit', good, '--target', 'y', '--features', 'x1,y'], /--features: the target cannot explain itself/],
    [
      ['fit', good, '--target', 'y', '--rows', 'rows.txt'],
      /--rows: a file name that ends in .csv or .parquet/,
    ],
    [['fit', good, '--target', 'y', '--save', 'model'], /--save: a file name that ends in .json/],
    [
      ['fit', good, '--target', 'y', '--seed', '-1'],
      /--seed: a whole number of at least 0 is needed, got "-1"/,
    ],
    [
      ['fit', good, '--target', 'y', '--engine', 'clickhouse'],
      /--engine: clickhouse needs an address like clickhouse:\/\/user@host:8123\/database, got/,
    ],
    [
      ['fit', good, '--target', 'y', '--rows-table', 't'],
      /--rows-table: is for a table of ClickHouse, got "t"/,
    ],
    [['fit', good, '--target', 'y', '--engine', 'oracle'], /--engine: one of duckdb, clickhouse is needed/],
    [
      ['fit', good, '--target', 'y', '--repport', 'r.html'],
      /^rlvi fit: unknown option, got "--repport"; did you mean --report\?$/,
    ],
    [['fit', good, '--tarjet', 'y'], /^rlvi fit: unknown option, got "--tarjet"; did you mean --target\?$/],
    [
      ['fit', good, '--target', 'y', '--method', 'rrm', '--epsilon', '.2'],
      /^rlvi fit: unknown option, got "--epsilon"; did you mean --assume\?$/,
    ],
    [['stream', '--target', 'y', '--epsilon=.2'], /got "--epsilon=.2"; did you mean --assume\?$/],
    [['predict', 'model.json', good, '--epsilon', '.2'], /got "--epsilon"; see rlvi predict --help$/],
    [['fit', good, good, '--target', 'y'], /rlvi fit: each file is given once, got ".*good\.csv"/],
    [['fit'], /missing required argument 'file'/],
    [['predict', 'model.json'], /missing required argument 'file'/],
    [['predict', 'model.json', good, '--rows', 'x'], /--rows: a file name that ends in .csv or .parquet/],
    [['prdict', 'x'], /a command is needed \(fit, look, predict, .*\), got "prdict"; did you mean predict\?/],
    [['--bogus'], /got "--bogus"/],
    [[], /a command is needed .*see rlvi --help/],
  ]
  test.each(cases)('%j', async (argv, message) => {
    const { status, out, remarks } = await run(...argv)
    expect(remarks).toEqual([expect.stringMatching(message)])
    expect({ status, out }).toEqual({ status: 2, out: '' })
  })
})

describe('work that cannot be done', () => {
  const nowhere = join(folder.path, 'no', 'such')
  test.each([
    [['--table', 't'], /--table: only a DuckDB file/],
    [['--rows', `${nowhere}.csv`], /could not be written, got no such file or folder/],
    [['--save', `${nowhere}.json`], /could not be written, got no such file or folder/],
  ])('%j', async (flags, message) => {
    const { status, out, remarks } = await run('fit', good, '--target', 'y', ...flags)
    expect(remarks.at(-1)).toMatch(message)
    expect({ status, out }).toEqual({ status: 1, out: '' })
  })

  test('control characters of a file never reach the terminal', async () => {
    const name = 'x\u001b[31m\u009b2J\u202e'
    const path = folder.csv('control.csv', [
      [name, 'y'],
      [1, 2],
      [1, 3],
      [1, 5],
    ])
    const { remarks } = await run('fit', path, '--target', 'y')
    expect(remarks.at(-1)).toMatch(
      /at least one feature that varies is needed, got left out columns that never vary: "x/,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point
    expect(remarks.join()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    const json = await run(
      'fit',
      folder.csv('c2.csv', [[name, 'x', 'y'], ...numbers]),
      '--target',
      'y',
      '--json',
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point
    expect(json.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(Object.keys(JSON.parse(json.out).params.coefficients)).toContain(name)
  })
})
