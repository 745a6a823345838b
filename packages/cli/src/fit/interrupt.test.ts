import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { normals, testFolder } from '../testing/run.js'
import { rlviBin } from '../testing/stream.js'

const z = normals(3)
const names = Array.from({ length: 20 }, (_, j) => `x${j}`)
const rows = Array.from({ length: 8000 }, (_, i) => [...names.map(() => z()), ['a', 'b', 'c', 'd'][i % 4]])
const csv = [[...names, 'kind'], ...rows].map((row) => row.join()).join('\n')

interface Moment {
  readonly name: string
  /** Gives it rows, and returns when it is there. */
  reach(child: ChildProcess, temporary: string): Promise<void>
}

/** The size of the largest file below. */
function largest(folder: string): number {
  try {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      statSync(join(folder, name), { throwIfNoEntry: false }),
    )
    return Math.max(0, ...found.map((file) => (file?.isFile() ? file.size : 0)))
  } catch (error) {
    // A folder may go while it is looked into.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return 0
  }
}

const moments: readonly Moment[] = [
  {
    name: 'while it waits for more rows',
    async reach(child, temporary) {
      child.stdin!.write(csv)
      while (largest(temporary) < csv.length && child.exitCode === null) await sleep(5)
    },
  },
  {
    // What was put aside for reading goes just before the fit, which takes many times as long.
    name: 'when all rows are read',
    async reach(child, temporary) {
      // The system tells of a file that came and went even where nobody had the time to look.
      let isPutAside = false
      const watcher = watch(temporary, () => {
        isPutAside = true
      })
      child.stdin!.end(csv)
      while (!(isPutAside && readdirSync(temporary).length === 0) && child.exitCode === null) await sleep(1)
      watcher.close()
    },
  },
]
const cases = moments.flatMap(({ name, reach }) =>
  (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ name, reach, signal })),
)

test.each(cases)(
  '$signal, once, $name, ends a fit and leaves nothing half-written',
  async ({ reach, signal }) => {
    const folder = testFolder().path
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    const files = ['--rows', 'rows.csv', '--good', 'good.csv', '--save', 'model.json'].map((word) =>
      word.startsWith('--') ? word : join(folder, word),
    )
    const child = spawn(process.execPath, [rlviBin, 'fit', '-', '--target', 'kind', ...files], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, TMPDIR: temporary },
    })
    child.stdin.on('error', () => undefined)
    const ended = once(child, 'exit')
    await reach(child, temporary)
    child.kill(signal)
    expect(await ended).toEqual([null, signal])
    expect(readdirSync(folder)).toEqual(['tmp'])
    expect(readdirSync(temporary)).toEqual([])
  },
)
