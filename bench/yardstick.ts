import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from './measure.js'

/** Other people's programs, run on the same data; each prints one JSON object. */

const folder = new URL('../yardsticks/', import.meta.url)

export const yardstickPath = (script: string): string => new URL(script, folder).pathname

/** The first Python that can import the modules: the system's often can when another one is first on the path. */
export function findPython(modules: readonly string[]): string | undefined {
  const works = (name: string): boolean =>
    spawnSync(name, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0
  return ['python3', '/usr/bin/python3'].find(works)
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'too-slow' }
  | undefined

const LIMIT = 180_000

/** Runs a Python yardstick; undefined, with a word to the reader, where its modules are not installed. */
export function runPython<T>(
  script: string,
  modules: readonly string[],
  args: readonly string[],
): Outcome<T> {
  const command = findPython(modules)
  if (command === undefined) {
    say(`  skipped: no Python with ${modules.join(', ')} (see bench/README.md)`)
    return undefined
  }
  return runScript(command, [yardstickPath(script), ...args])
}

export function runR<T>(script: string, library: string, args: readonly string[]): Outcome<T> {
  const found = ['Rscript', '/usr/bin/Rscript'].find(
    (name) => spawnSync(name, ['-e', `library(${library})`], { stdio: 'ignore' }).status === 0,
  )
  if (found === undefined) {
    say(`  skipped: no R with ${library} (see bench/README.md)`)
    return undefined
  }
  return runScript(found, [yardstickPath(script), ...args])
}

function runScript<T>(command: string, args: readonly string[]): Outcome<T> {
  const child = spawnSync(command, args, { encoding: 'utf8', timeout: LIMIT, maxBuffer: 2 ** 28 })
  if (child.signal !== null) return { kind: 'too-slow' }
  if (child.status !== 0) {
    say(`  skipped: ${args[0]} failed: ${child.stderr.trim().split('\n').at(-1)}`)
    return undefined
  }
  return { kind: 'done', result: JSON.parse(child.stdout) as T }
}

/** Calls `use` with the path of a file that holds the arrays one after the other, and removes it afterwards. */
export function withFile<T>(arrays: readonly Float64Array[], use: (path: string) => T): T {
  const place = mkdtempSync(join(tmpdir(), 'rlvi-bench-'))
  try {
    const path = join(place, 'data')
    const file = openSync(path, 'w')
    for (const values of arrays) {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
      for (let at = 0; at < bytes.length; at += 2 ** 22) writeSync(file, bytes.slice(at, at + 2 ** 22))
    }
    return use(path)
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** What a yardstick wrote beside its data. */
export function readNumbers(path: string): Float64Array {
  const bytes = readFileSync(path)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
