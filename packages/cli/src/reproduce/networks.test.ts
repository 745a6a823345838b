import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeCifar10, writeMnist } from '../../../vision/src/data/testing.js'
import { run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const mnist = ['reproduce', 'mnist', '--data', at('mnist'), '--epochs', '2']

beforeAll(() => {
  mkdirSync(at('mnist'))
  writeMnist(at('mnist'), 60, 20)
})

describe('a table that is filled over many runs', () => {
  const out = ['--out', at('out')]
  const cells = (): string[] => readdirSync(at('out/cells')).sort()

  it('runs what was asked for, and keeps it', async () => {
    const { status, out: text, remarks } = await run(...mnist, '--only', 'method=standard', ...out)
    expect(remarks).toEqual(['1 of 1: pairflip 45 %, standard, seed 0', `figures: ${at('out')}/mnist.html`])
    expect(status).toBe(0)
    expect(text).toContain('1 run of the 280 of the whole experiment, 2 epochs; the paper trains for 100')
    // Ours beside the paper's, and a dash where nothing was run.
    expect(text).toMatch(/Standard +1 +\d+\.\d\d +69\.26 +3\.65/)
    expect(text).toMatch(/RLVI +0 +- +98\.52 +0\.07/)
    expect(cells()).toEqual(['mnist-pairflip-0.45-standard-2epochs-seed0.json'])
  })

  it('uses what is there, and adds to it', async () => {
    const [name = ''] = cells()
    const path = at(`out/cells/${name}`)
    // A number that no run would give shows where the table comes from.
    const stored = JSON.parse(readFileSync(path, 'utf8'))
    stored.epochs[1].test = 0.8765
    writeFileSync(path, JSON.stringify(stored))
    const { out: text, remarks } = await run(...mnist, ...out)
    expect(remarks.slice(0, 2)).toEqual([
      '1 of 2: pairflip 45 %, standard, seed 0 (there already)',
      '2 of 2: pairflip 45 %, rlvi, seed 0',
    ])
    expect(text).toMatch(/Standard +1 +87\.65/)
    expect(text).toMatch(/RLVI +1 +\d/)
    const html = readFileSync(at('out/mnist.html'), 'utf8')
    expect(html.match(/<svg/g)).toHaveLength(2)
    expect(html).toContain('87.65')
    expect(readdirSync(at('out')).sort()).toEqual([
      'cells',
      'mnist-pairflip-0.45-2epochs-accuracy.svg',
      'mnist-pairflip-0.45-2epochs-identified.svg',
      'mnist.html',
      'records.json',
    ])
  })

  it('as JSON: the records, the same for the same seed', async () => {
    const records = await runJson(...mnist, ...out)
    expect(records).toHaveLength(2)
    expect(Object.keys(records[1])).toEqual([
      'dataset',
      'noise',
      'rate',
      'method',
      'seed',
      'epochs',
      'accuracy',
      'cleanKept',
      'corruptCaught',
      'secondsPerEpoch',
    ])
    const [again] = await runJson(...mnist, '--only', 'method=rlvi')
    expect({ ...again, secondsPerEpoch: 0 }).toEqual({ ...records[1], secondsPerEpoch: 0 })
  })

  it('refuses the results of other data', async () => {
    mkdirSync(at('more'))
    writeMnist(at('more'), 80, 20)
    const { status, remarks } = await run('reproduce', 'mnist', '--data', at('more'), '--epochs', '2', ...out)
    expect(remarks.at(-1)).toMatch(
      /a cell of 80 \+ 20 images is needed, got one of 60 \+ 20; choose another --out/,
    )
    expect(status).toBe(1)
  })

  it.each([
    ['no JSON', '{"format": 1, "cell"', /got a file that is no JSON; remove the file to run the cell again/],
    ['another cell', undefined, /got another cell, mnist-pairflip-0.45-standard-2epochs-seed0/],
    ['too few epochs', undefined, /got other than the lines of 2 epochs/],
  ])('a broken file (%s) is an error, not a gap', async (kind, text, message) => {
    const dir = at(`broken ${kind}`)
    mkdirSync(join(dir, 'cells'), { recursive: true })
    const name = 'mnist-pairflip-0.45-standard-2epochs-seed0.json'
    const stored = JSON.parse(readFileSync(at(`out/cells/${name}`), 'utf8'))
    const short = JSON.stringify({ ...stored, epochs: stored.epochs.slice(1) })
    const place = kind === 'another cell' ? name.replace('standard', 'rlvi') : name
    writeFileSync(
      join(dir, 'cells', place),
      text ?? (kind === 'another cell' ? JSON.stringify(stored) : short),
    )
    const { status, out: printed, remarks } = await run(...mnist, '--out', dir)
    expect(remarks).toEqual([expect.stringMatching(message)])
    expect([status, printed]).toEqual([1, ''])
    expect(readdirSync(dir)).toEqual(['cells'])
  })
})

describe('other experiments', () => {
  it('train on few images without --full, and say so', async () => {
    mkdirSync(at('cifar10'))
    writeCifar10(at('cifar10'), 4)
    const { status, out } = await run(
      'reproduce',
      'regularization',
      '--data',
      at('cifar10'),
      '--limit',
      '12',
      '--epochs',
      '1',
      '--only',
      'method=standard',
    )
    expect(status).toBe(0)
    expect(out).toContain(
      '1 run of the 3 of the whole experiment, 1 epochs, on 12 images only; the paper trains for 200',
    )
  })

  it.each([
    [['reproduce', 'mnist', '--only', 'method=rvli'], /--only: method must be one of standard/, 2],
    [['reproduce', 'mnist', '--epochs', '0'], /--epochs: a whole number of at least 1/, 2],
    [['reproduce', 'mnist', '--threads', '0'], /--threads: a whole number of at least 1/, 2],
    [['reproduce', 'pca', '--full'], /--full: only for experiments with networks, got "pca"/, 2],
    [
      ['reproduce', 'cifar10', '--data', at('mnist')],
      /--data: cifar10 needs the files of cifar10, got mnist/,
      1,
    ],
    [['reproduce', 'mnist', '--data', at('nowhere')], /nowhere: a folder or one of/, 1],
  ])('%j is refused', async (argv, message, code) => {
    const { status, out, remarks } = await run(...argv)
    expect(remarks).toEqual([expect.stringMatching(message)])
    expect([status, out]).toEqual([code, ''])
  })
})
