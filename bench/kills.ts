/**
 * Kills every command that writes at its changes of files, one after the other, and looks whether what it promises holds: at any
 * moment a file is the old one or the new one, whole; and the same command, given again, ends as if nothing had happened.
 *
 *   node bench/dist/kills.js [COMMAND …] [--variants N]               at every change of a file, until there are no more
 *   node bench/dist/kills.js [COMMAND …] [--variants N] --again 20-40    at the 20th, and so again each run that goes on; then at the 21st …
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

/** Of each output, its files by name. */
type Files = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What came of it. */
export interface Killed {
  readonly kills: number
  readonly failures: readonly string[]
}

/** Changes of a file by their numbers. */
export function* places(first = 1, last: number = Number.POSITIVE_INFINITY): Generator<number> {
  for (let k = first; k <= last; k++) yield k
}

/** A run may be killed as often as this and come no further. */
const MOST = 300

/** A command that nobody disturbed, and what it left. */
class Undisturbed {
  private readonly scenario: Scenario
  private readonly folder: string
  private readonly before: Files
  private readonly after: Files

  constructor(scenario: Scenario) {
    this.scenario = scenario
    this.folder = made(scenario)
    this.before = this.files(this.folder)
    const { status, err } = run(this.folder, scenario.argv(this.folder), 0)
    if (status !== 0) throw new Error(`${scenario.name}: ${err}`)
    this.after = this.files(this.folder)
  }

  /** What the command has written in another folder, as if it were in this one. */
  private files(folder: string): Files {
    return Object.fromEntries(
      this.scenario.outputs.map((output) => {
        const all = Object.entries(contents(join(folder, output)))
        return [
          output,
          Object.fromEntries(all.map(([file, text]) => [file, text.replaceAll(folder, this.folder)])),
        ]
      }),
    )
  }

  /** What is wrong after a kill: a file is the old one or the new one. */
  *brokenIn(folder: string): Generator<string> {
    const { growing = [] } = this.scenario
    for (const [output, files] of Object.entries(this.files(folder))) {
      const isWhole = Object.entries(files).every(
        ([file, text]) =>
          /\.(tmp|part|lock)\b|\.lock\./.test(file) ||
          without(text) === without(this.after[output]![file] ?? '') ||
          text === this.before[output]![file],
      )
      if (!growing.includes(output) && !isWhole) yield `${output} is neither the old one nor the new one`
    }
  }

  /** What is wrong after a run that went on to the end. */
  *differentIn(folder: string): Generator<string> {
    for (const [output, files] of Object.entries(this.files(folder)))
      if (!same(files, this.after[output]!)) yield `${output} is another one in the end`
    const left = [
      ...readdirSync(folder).filter((file) => /\.(tmp|part)$|\.lock$/.test(file)),
      // ONNX Runtime leaves files of its own there.
      ...readdirSync(join(folder, TEMPORARY)).filter((file) => file.startsWith('rlvi-')),
    ]
    if (left.length > 0) yield `${left.join(', ')} is left after the next run`
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * Kills a command at its changes of files by their numbers, until one is not reached, and looks at what is left each time. Then it
 * goes on, undisturbed; or, where that is asked for, is killed at the same change again and again, for as long as there is one.
 */
export function killAt(scenario: Scenario, at: Iterable<number>, again = false): Killed {
  const undisturbed = new Undisturbed(scenario)
  const failures: string[] = []
  let kills = 0
  for (const place of at) {
    const folder = made(scenario)
    const wrong = (found: Iterable<string>): void => {
      for (const what of found)
        failures.push(`${scenario.name}, killed at change ${place}: ${what}`.replaceAll(folder, 'FOLDER'))
    }
    let ended = run(folder, scenario.argv(folder), place)
    const isReached = ended.status === 'SIGKILL'
    for (let k = 0; ended.status === 'SIGKILL' && k < MOST; k++) {
      kills++
      wrong(undisturbed.brokenIn(folder))
      ended = run(folder, (scenario.again ?? scenario.argv)(folder), again ? place : 0)
    }
    if (isReached && ended.status !== 0) wrong([`the next run ended with ${ended.status}: ${ended.err}`])
    if (isReached) wrong(undisturbed.differentIn(folder))
    rmSync(folder, { recursive: true, force: true })
    if (!isReached) break
  }
  undisturbed.remove()
  return { kills, failures }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    options: { variants: { type: 'string', default: '1' }, again: { type: 'string' } },
    allowPositionals: true,
  })
  const isMeant = ({ name }: Scenario): boolean => positionals.length === 0 || positionals.includes(name)
  const [first, last] = values.again?.split('-').map(Number) ?? []
  let total = 0
  const tell = (scenario: Scenario, at: Iterable<number>, where: string): void => {
    const { kills, failures } = killAt(scenario, at, values.again !== undefined)
    total += kills
    console.log(`${scenario.name}${where}: ${kills} kills, ${failures.length} failures`)
    for (const failure of failures) console.log(`  ${failure}`)
    if (failures.length > 0) process.exitCode = 1
  }
  for (const scenario of scenarios(Number(values.variants)).filter(isMeant)) {
    if (values.again === undefined) tell(scenario, places(), '')
    else
      for (const place of places(first, last)) tell(scenario, [place], `, at change ${place} again and again`)
  }
  console.log(`${total} kills`)
}
