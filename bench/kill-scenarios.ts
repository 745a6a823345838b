import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is killed: every command that writes. */

export const bench: URL = new URL(import.meta.url.includes('/dist/') ? '..' : '.', import.meta.url)

/** A command, its files, and what of them must come out the same. */
export interface Scenario {
  readonly name: string
  /** Makes what it reads. */
  prepare(folder: string): void
  argv(folder: string): readonly string[]
  /** What is given to go on after a kill, where that is another command line. */
  again?(folder: string): readonly string[]
  /** Files and folders that it writes. */
  readonly outputs: readonly string[]
  /** Files that hold several steps of the work: between them they are neither as before nor as at the end. */
  readonly growing?: readonly string[]
}

/** Rows of a line with noise, each eleventh of them wrong. */
const table = (from: number, to: number): string =>
  `x,y\n${Array.from({ length: to - from }, (_, k) => {
    const i = from + k
    return `${Math.sin(i)},${2 * Math.sin(i) + 0.1 * Math.cos(7 * i) + (i % 11 ? 0 : 9)}\n`
  }).join('')}`

function staging(target: string): string {
  return `
    import { writeFile } from 'node:fs/promises'
    import { stage } from ${JSON.stringify(new URL('../packages/vision/dist/data/fetch/staging.js', bench).href)}
    await stage(${JSON.stringify(target)}, async ({ out }) => {
      for (const file of ['a', 'b', 'c']) await writeFile(out + '/' + file, 'new ' + file)
    })
  `
}

const model = JSON.stringify({
  ...{ format: 'rlvi-model', version: 1, method: 'ml', rows: 240 },
  ...{ features: [{ name: 'x', kind: 'number' }], target: { name: 'y' } },
  fitted: { model: 'linear', params: { intercept: 0.8, coefficients: [2], scale: 1 } },
  origin: { rlvi: '0.1.0', date: '2026-11-01T00:00:00.000Z', source: 'rows.csv', level: null },
})

/** MNIST in its own format, of a few pictures. */
function mnist(folder: string): void {
  const idx = (dims: readonly number[], byte: (k: number) => number): Buffer => {
    const size = dims.reduce((product, dim) => product * dim, 1)
    const words = [0x800 + dims.length, ...dims].map((word) => {
      const four = Buffer.alloc(4)
      four.writeUInt32BE(word)
      return four
    })
    return Buffer.concat([...words, Buffer.from(Uint8Array.from({ length: size }, (_, k) => byte(k)))])
  }
  for (const [part, n] of [
    ['train', 40],
    ['t10k', 10],
  ] as const) {
    const label = (i: number): number => i % 10
    writeFileSync(
      join(folder, `${part}-images-idx3-ubyte`),
      idx([n, 28, 28], (k) => (label(Math.floor(k / 784)) * 25 + (k % 5)) & 255),
    )
    writeFileSync(join(folder, `${part}-labels-idx1-ubyte`), idx([n], label))
  }
}

/** A file for each piece of the stream; after each, the state is written. Each variant has other rows, and batches of another size. */
function stream(variant: number): Scenario {
  const files = Array.from({ length: 30 }, (_, k) => `rows-${k}.csv`)
  const from = 1000 * variant
  return {
    name: 'stream',
    prepare(folder) {
      for (const [k, file] of files.entries())
        writeFileSync(join(folder, file), table(from + 8 * k, from + 8 * k + 8))
    },
    argv: (folder) => [
      ...['stream', ...files.flatMap((file) => ['--input', join(folder, file)])],
      ...['--target', 'y', '--model', 'linear', '--batch', String(6 + variant), '--checkpoint-every', '0'],
      ...['--state', join(folder, 'state.json'), '--out', join(folder, 'out.ndjson')],
    ],
    outputs: ['state.json', 'out.ndjson'],
    growing: ['state.json', 'out.ndjson'],
  }
}

/** Each variant begins with other weights. */
function train(variant: number): Scenario {
  const argv = (folder: string): string[] => [
    ...['train', join(folder, 'mnist'), '--epochs', '2', '--batch', '16', '--threads', '1'],
    ...['--seed', String(variant), '--checkpoint', join(folder, 'kept'), '--save', join(folder, 'net.onnx')],
  ]
  return {
    name: 'train',
    prepare(folder) {
      mkdirSync(join(folder, 'mnist'))
      mnist(join(folder, 'mnist'))
    },
    argv,
    again: (folder) => [...argv(folder), '--resume'],
    // The checkpoint has the seconds of its epochs in it; the network that comes of it is compared.
    outputs: ['net.onnx'],
  }
}

/** A fit with files of before in the places of all that it writes. */
function fit(
  name: string,
  rows: number,
  flags: readonly string[],
  outputs: Readonly<Record<string, string>>,
): Scenario {
  return {
    name,
    prepare(folder) {
      writeFileSync(join(folder, 'rows.csv'), table(0, rows))
      for (const old of Object.values(outputs)) writeFileSync(join(folder, old), `old\n${old}\n`)
    },
    argv: (folder) => [
      ...['fit', join(folder, 'rows.csv'), '--target', 'y', '--method', 'ml', ...flags],
      ...Object.entries(outputs).flatMap(([flag, file]) => [flag, join(folder, file)]),
    ],
    outputs: Object.values(outputs),
  }
}

/** Every command that writes; those that write again and again in so many variants. */
export const scenarios = (variants = 1): readonly Scenario[] => [
  ...Array.from({ length: variants }, (_, k) => stream(k)),
  fit('fit', 240, [], { '--rows': 'judged.csv', '--good': 'good.csv', '--save': 'model.json' }),
  fit('report', 240, [], { '--report': 'report.html', '--rows': 'judged.parquet' }),
  // Fewer rows would be fitted in memory, whatever is asked for.
  fit('memory', 60_100, ['--memory', '1kB'], {
    '--rows': 'judged.csv',
    '--flagged': 'flagged.parquet',
    '--save': 'model.json',
  }),
  {
    name: 'look',
    prepare: (folder) => writeFileSync(join(folder, 'rows.csv'), table(0, 240)),
    argv: (folder) => ['look', join(folder, 'rows.csv'), '--report', join(folder, 'look.html')],
    outputs: ['look.html'],
  },
  {
    name: 'predict',
    prepare(folder) {
      writeFileSync(join(folder, 'rows.csv'), table(0, 240))
      writeFileSync(join(folder, 'model.json'), model)
    },
    argv: (folder) => [
      ...['predict', join(folder, 'model.json'), join(folder, 'rows.csv')],
      ...['--rows', join(folder, 'predicted.csv')],
    ],
    outputs: ['predicted.csv'],
  },
  {
    name: 'audit',
    prepare: (folder) => writeFileSync(join(folder, 'rows.csv'), table(0, 240)),
    argv: (folder) => [
      ...[
        'audit',
        join(folder, 'rows.csv'),
        '--target',
        'y',
        '--model',
        'linear',
        '--method',
        'ml',
        '--folds',
        '2',
      ],
      ...['--rows', join(folder, 'ranking.csv'), '--decisions', join(folder, 'todo.csv')],
    ],
    outputs: ['ranking.csv', 'todo.csv'],
  },
  {
    name: 'reproduce',
    prepare: () => undefined,
    argv: (folder) => ['reproduce', 'mean', '--runs', '1', '--threads', '1', '--out', join(folder, 'out')],
    outputs: ['out'],
  },
  {
    // What `rlvi data fetch` does with what it has fetched, which only the official files come to.
    name: 'data',
    prepare(folder) {
      mkdirSync(join(folder, 'cache', 'set'), { recursive: true })
      for (const file of ['a', 'b']) writeFileSync(join(folder, 'cache', 'set', file), `old ${file}`)
    },
    argv: (folder) => ['--input-type=module', '--eval', staging(join(folder, 'cache', 'set'))],
    outputs: ['cache'],
  },
  ...Array.from({ length: variants }, (_, k) => train(k)),
]
