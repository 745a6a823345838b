/**
 * Kills every command that writes at its changes of files, one after the other, and looks whether what it promises holds: at any
 * moment a file is the old one or the new one, whole; and the same command, given again, ends as if nothing had happened.
 *
 *   node bench/dist/kills.js [COMMAND …] [--variants N]      at every change of a file, until there are no more
 *
 * `stream` and `train` come in N variants: other rows, other batches, other first weights.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bench, type Scenario, scenarios } from './kill-scenarios.js'

const command = new URL('../packages/cli/bin/rlvi.js', bench)
const killer = new URL('kill-at.mjs', bench)

/** Where a command puts files aside. */
const TEMPORARY = 'temporary'

interface Ended {
  readonly status: number | string | null
  readonly err: string
}

function run(folder: string, argv: readonly string[], killAt: number): Ended {
  const env = {
    ...process.env,
    RLVI_CACHE: join(folder, 'cache'),
    RLVI_KILL_AT: String(killAt),
    TMPDIR: join(folder, TEMPORARY),
  }
  const isCommand = !argv[0]!.startsWith('--')
  const node = ['--import', killer.href, ...(isCommand ? [command.pathname] : []), ...argv]
  const { status, signal, stderr } = spawnSync(process.execPath, node, { env, encoding: 'utf8' })
  return { status: status ?? signal, err: stderr }
}

/** All files below, by name. */
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
  mkdirSync(join(folder, TEMPORARY))
  scenario.prepare(folder)
  return folder
}

/** Without times and dates. */
const without = (text: string): string =>
  text.replaceAll(/"seconds":[^,}]*|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|>[\d.]+ s</g, '')
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
    const left = [
      ...readdirSync(folder).filter((file) => /\.(tmp|part)$|\.lock$/.test(file)),
      ...readdirSync(join(folder, TEMPORARY)),
    ]
    if (left.length > 0) say(`${left.join(', ')} is left after the next run`)
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(whole, { recursive: true, force: true })
  return { kills, failures: failures.map(paths) }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    options: { variants: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const isMeant = ({ name }: Scenario): boolean => positionals.length === 0 || positionals.includes(name)
  let total = 0
  for (const scenario of scenarios(Number(values.variants)).filter(isMeant)) {
    const { kills, failures } = killAt(scenario, everywhere())
    total += kills
    console.log(`${scenario.name}: ${kills} kills, ${failures.length} failures`)
    for (const failure of failures) console.log(`  ${failure}`)
    if (failures.length > 0) process.exitCode = 1
  }
  console.log(`${total} kills`)
}
