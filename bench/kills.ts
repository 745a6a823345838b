/**
 * Kills every command that writes at its changes of files, one after the other, and looks whether what it promises holds: at any
 * moment a file is the old one or the new one, whole; and the same command, given again, ends as if nothing had happened.
 *
 *   node bench/dist/kills.js [COMMAND …] [--times N]      at every change of a file, until there are no more
 *
 * `--times` gives `stream` and `train` N times as much to do, so that there are more changes to be killed at.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const bench = new URL(import.meta.url.includes('/dist/') ? '..' : '.', import.meta.url)
const command = new URL('../packages/cli/bin/rlvi.js', bench)
const killer = new URL('kill-at.mjs', bench)

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

/** A file for each piece of the stream; after each, the state is written. */
function stream(pieces: number): Scenario {
  const files = Array.from({ length: pieces }, (_, k) => `rows-${k}.csv`)
  return {
    name: 'stream',
    prepare(folder) {
      for (const [k, file] of files.entries()) writeFileSync(join(folder, file), table(8 * k, 8 * k + 8))
    },
    argv: (folder) => [
      ...['stream', ...files.flatMap((file) => ['--input', join(folder, file)])],
      ...['--target', 'y', '--model', 'linear', '--batch', '6', '--checkpoint-every', '0'],
      ...['--state', join(folder, 'state.json'), '--out', join(folder, 'out.ndjson')],
    ],
    outputs: ['state.json', 'out.ndjson'],
    growing: ['state.json', 'out.ndjson'],
  }
}

function train(epochs: number): Scenario {
  const argv = (folder: string): string[] => [
    ...['train', join(folder, 'mnist'), '--epochs', String(epochs), '--batch', '16', '--threads', '1'],
    ...['--checkpoint', join(folder, 'kept'), '--save', join(folder, 'net.onnx')],
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

/** Every command that writes; `times` makes those longer that write again and again. */
export const scenarios = (times = 1): readonly Scenario[] => [
  stream(30 * times),
  {
    name: 'fit',
    prepare(folder) {
      writeFileSync(join(folder, 'rows.csv'), table(0, 240))
      for (const old of ['judged.csv', 'good.csv']) writeFileSync(join(folder, old), `old\n${old}\n`)
    },
    argv: (folder) => [
      ...['fit', join(folder, 'rows.csv'), '--target', 'y', '--method', 'ml'],
      ...['--rows', join(folder, 'judged.csv'), '--good', join(folder, 'good.csv')],
    ],
    outputs: ['judged.csv', 'good.csv'],
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
  train(2 * times),
]

interface Ended {
  readonly status: number | string | null
  readonly err: string
}

function run(folder: string, argv: readonly string[], killAt: number): Ended {
  const env = { ...process.env, RLVI_CACHE: join(folder, 'cache'), RLVI_KILL_AT: String(killAt) }
  const isCommand = !argv[0]!.startsWith('--')
  const node = ['--import', killer.href, ...(isCommand ? [command.pathname] : []), ...argv]
  const { status, signal, stderr } = spawnSync(process.execPath, node, { env, encoding: 'utf8' })
  return { status: status ?? signal, err: stderr }
}

/** All files below, by name; times and dates in them are left out of account. */
function contents(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {}
  if (statSync(path).isFile()) return { '': readFileSync(path, 'latin1') }
  const all = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    all
      .filter((name) => statSync(join(path, name)).isFile() && !name.endsWith('.lock'))
      .map((name) => [name, readFileSync(join(path, name), 'latin1')]),
  )
}

function made(scenario: Scenario): string {
  const folder = mkdtempSync(join(tmpdir(), `rlvi-kills-${scenario.name}-`))
  scenario.prepare(folder)
  return folder
}

const without = (text: string): string => text.replaceAll(/"seconds":[^,}]*/g, '')
const same = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  JSON.stringify(Object.keys(a)) === JSON.stringify(Object.keys(b)) &&
  Object.keys(a).every((name) => without(a[name]!) === without(b[name]!))

/** What came of it. */
export interface Killed {
  readonly kills: number
  readonly failures: readonly string[]
}

/** Every change of a file, from the first. */
export function* everywhere(): Generator<number> {
  for (let k = 1; ; k++) yield k
}

/** Kills a command at its changes of files by their numbers, until one is not reached, and looks at what is left each time. */
export function killAt(scenario: Scenario, places: Iterable<number>): Killed {
  const { name, outputs, growing = [] } = scenario
  const whole = made(scenario)
  const failures: string[] = []
  const before = Object.fromEntries(outputs.map((output) => [output, contents(join(whole, output))]))
  const undisturbed = run(whole, scenario.argv(whole), 0)
  if (undisturbed.status !== 0) throw new Error(`${name}: ${undisturbed.err}`)
  const after = Object.fromEntries(outputs.map((output) => [output, contents(join(whole, output))]))
  const paths = (text: string): string => text.replaceAll(whole, 'FOLDER')
  let kills = 0
  for (const place of places) {
    const folder = made(scenario)
    const say = (what: string): number => failures.push(`${name}, killed at change ${place}: ${what}`)
    const own = (output: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(contents(join(folder, output))).map(([file, text]) => [
          file,
          text.replaceAll(folder, whole),
        ]),
      )
    const { status } = run(folder, scenario.argv(folder), place)
    if (status !== 'SIGKILL') {
      rmSync(folder, { recursive: true, force: true })
      break
    }
    kills++
    for (const output of outputs) {
      const now = own(output)
      const isWhole = Object.entries(now).every(
        ([file, text]) =>
          /\.(tmp|part|lock)\b|\.lock\./.test(file) ||
          without(text) === without(after[output]![file] ?? '') ||
          text === before[output]![file],
      )
      if (!growing.includes(output) && !isWhole) say(`${output} is neither the old one nor the new one`)
    }
    const last = run(folder, (scenario.again ?? scenario.argv)(folder), 0)
    if (last.status !== 0) say(`the next run ended with ${last.status}: ${last.err}`)
    for (const output of outputs)
      if (!same(own(output), after[output]!)) say(`${output} is another one in the end`)
    const left = readdirSync(folder).filter((file) => /\.(tmp|part)$|\.lock$/.test(file))
    if (left.length > 0) say(`${left.join(', ')} is left after the next run`)
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(whole, { recursive: true, force: true })
  return { kills, failures: failures.map(paths) }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    options: { times: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const isMeant = ({ name }: Scenario): boolean => positionals.length === 0 || positionals.includes(name)
  for (const scenario of scenarios(Number(values.times)).filter(isMeant)) {
    const { kills, failures } = killAt(scenario, everywhere())
    console.log(`${scenario.name}: ${kills} kills, ${failures.length} failures`)
    for (const failure of failures) console.log(`  ${failure}`)
    if (failures.length > 0) process.exitCode = 1
  }
}
