import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../testing/folder.js'
import { script } from '../testing/process.js'
import { writeAtomic, writeAtomicSync } from './atomic.js'
import { nameBeside } from './beside.js'

const root = testFolder()
let made = 0

function place(): { readonly folder: string; readonly path: string } {
  const folder = join(root, String(++made))
  mkdirSync(folder)
  const path = join(folder, 'out')
  writeFileSync(path, 'old')
  return { folder, path }
}

/** Writes half of a file, says so, and waits. */
const half = `import { writeAtomic } from '@rlvi/io'
  await writeAtomic(process.argv[1], async (file) => {
    await file.write('half')
    console.log('half')
    await new Promise((resolve) => setTimeout(resolve, 1e6))
  })`

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s in the middle leaves the file before and nothing else',
  async (signal) => {
    const { folder, path } = place()
    const child = script(half, [path])
    await child.says('half')
    expect(readdirSync(folder).length).toBe(2)
    child.kill(signal)
    expect((await child.end).status).toBe(signal)
    expect(readdirSync(folder)).toEqual(['out'])
    expect(readFileSync(path, 'utf8')).toBe('old')
  },
)

test('what a kill leaves is removed by the next writer, and what a live one writes is not', async () => {
  const { folder, path } = place()
  const [killed, live] = [script(half, [path]), script(half, [path])]
  await Promise.all([killed.says('half'), live.says('half')])
  killed.kill('SIGKILL')
  await killed.end
  expect(readdirSync(folder).length).toBe(3)
  expect(readFileSync(path, 'utf8')).toBe('old')
  await writeAtomic(path, 'new')
  const left = readdirSync(folder)
  expect(left.length).toBe(2)
  expect(readFileSync(join(folder, left.find((name) => name !== 'out')!), 'utf8')).toBe('half')
  live.kill('SIGTERM')
  await live.end
  expect(readdirSync(folder)).toEqual(['out'])
})

test('only what is surely left is removed', () => {
  const { folder, path } = place()
  const own = nameBeside(path)
  const put = (name: string, hoursAgo = 0): string => {
    writeFileSync(name, 'x')
    const at = Date.now() / 1000 - 3600 * hoursAgo
    utimesSync(name, at, at)
    return name
  }
  const machine = own.match(/\.([0-9a-f]{6})-\d+-[0-9a-f]{8}\.tmp$/)![1]!
  const elsewhere = machine === 'ffffff' ? '000000' : 'ffffff'
  const of = (who: string, pid: number, random: string): string =>
    join(folder, `.out.${who}-${pid}-${random}.tmp`)
  const kept = [
    put(own),
    put(of(elsewhere, 4_000_000, '00000000'), 23),
    put(of(machine, 1, '00000001'), 23),
    put(join(folder, '.out.tmp'), 99),
    put(join(folder, 'out.tmp'), 99),
  ]
  // A process before this one, one that is not, and two after a day.
  put(of(machine, process.pid, '00000002'), 12)
  put(of(machine, 4_194_305, '00000003'))
  put(of(elsewhere, 4_000_000, '00000004'), 25)
  put(of(machine, 1, '00000005'), 25)
  writeAtomicSync(path, 'new')
  expect(readdirSync(folder).sort()).toEqual(
    [...kept.map((name) => name.slice(folder.length + 1)), 'out'].sort(),
  )
  expect(own).not.toContain(hostname())
})

test('of many who write one file at once, one is there whole, and none fails', async () => {
  const { folder, path } = place()
  const length = 300_000
  const many = `import { writeAtomic, writeAtomicSync } from '@rlvi/io'
    const [path, sign] = process.argv.slice(1)
    for (let k = 0; k < 20; k++) {
      await Promise.all([0, 1].map(() => writeAtomic(path, sign.repeat(${length}))))
      writeAtomicSync(path, sign.repeat(${length}))
    }`
  const writers = ['a', 'b', 'c'].map((sign) => script(many, [path, sign]))
  let over = false
  const ends = Promise.all(writers.map(({ end }) => end)).finally(() => {
    over = true
  })
  while (!over) {
    const content = readFileSync(path, 'utf8')
    if (content !== 'old') expect([content.length, new Set(content).size]).toEqual([length, 1])
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  for (const ended of await ends) expect(ended).toEqual({ status: 0, out: '', err: '' })
  expect(readdirSync(folder)).toEqual(['out'])
})
