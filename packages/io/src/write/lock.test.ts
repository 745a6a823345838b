import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../testing/folder.js'
import { script } from '../testing/process.js'
import { startOf } from './alive.js'
import { disk } from './disk.js'
import { lockFile } from './lock.js'

const folder = testFolder()
let made = 0
const place = (): string => {
  const own = join(folder, `${++made}`)
  mkdirSync(own)
  return join(own, 'state')
}
const holding = `
  import { lockFile } from '@rlvi/io'
  lockFile(process.argv.at(-1))
  console.log('holds')
  setInterval(() => undefined, 1000)
`

test('one alone holds it, and the second is told who does', async () => {
  const path = place()
  const first = script(holding, [path])
  await first.says('holds')
  const { pid } = JSON.parse(readFileSync(`${path}.lock`, 'utf8'))
  expect(() => lockFile(path)).toThrow(
    `${path}: one run at a time is needed, got process ${pid} at work on it; end the other one first; if there is none, remove ${path}.lock`,
  )
  first.kill('SIGTERM')
  await first.end
  expect(existsSync(`${path}.lock`)).toBe(false)
})

test('the lock of a process that was killed is taken over', async () => {
  const path = place()
  const first = script(holding, [path])
  await first.says('holds')
  first.kill('SIGKILL')
  await first.end
  expect(existsSync(`${path}.lock`)).toBe(true)
  const release = lockFile(path)
  expect(JSON.parse(readFileSync(`${path}.lock`, 'utf8')).pid).toBe(process.pid)
  release()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test.runIf(existsSync('/proc/self/stat'))(
  'a process that was killed has ended, also where nobody asks for its end',
  async () => {
    const path = place()
    const release = lockFile(path)
    const own = readFileSync(`${path}.lock`, 'utf8')
    release()
    // A shell that becomes another program never hears of its child's end: that stays, by its number alone, as in a container. The
    // child waits until it has become that, since a shell that still is one would hear of it.
    const child = 'until grep -q sleep /proc/$$/comm; do sleep 0.01; done'
    const parent = spawn('sh', ['-c', `(${child}) & echo $!; exec sleep 60`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const pid = Number(String((await once(parent.stdout, 'data'))[0]))
      const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'latin1')
      while (!/\) Z /.test(stat()));
      const boot = JSON.parse(own).started.split(' ')[0]
      const started = `${boot} ${stat().replace(/^.*\)/s, '').trim().split(' ')[19]}`
      writeFileSync(`${path}.lock`, JSON.stringify({ ...JSON.parse(own), pid, started }))
      lockFile(path)()
    } finally {
      parent.kill()
    }
  },
)

test('one that another has taken over meanwhile is left to it', () => {
  const path = place()
  const gone = { pid: 2 ** 22 + 1, started: '', machine: hostname() }
  writeFileSync(`${path}.lock`, JSON.stringify(gone))
  const asked = process.kill
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid !== gone.pid) return asked.call(process, pid, signal)
    // The other one is quicker; a new file often has the number on the disk of the one that was removed last.
    rmSync(`${path}.lock`)
    writeFileSync(
      `${path}.lock`,
      JSON.stringify({ ...gone, pid: process.ppid, started: startOf(process.ppid) }),
    )
    throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' })
  })
  expect(() => lockFile(path)).toThrow(`got process ${process.ppid} at work on it`)
  vi.restoreAllMocks()
})

test('what one left that was killed as it took over holds nobody up for long', () => {
  const path = place()
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, started: '', machine: hostname() }))
  mkdirSync(`${path}.lock.taking`)
  const old = new Date(Date.now() - 6000)
  utimesSync(`${path}.lock.taking`, old, old)
  lockFile(path)()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('something else of its name is told, and neither waited for nor removed', () => {
  const path = place()
  mkdirSync(`${path}.lock`)
  expect(() => lockFile(path)).toThrow(
    `${path}.lock: a file is needed for the lock, got something else; remove it`,
  )
  expect(readdirSync(join(path, '..'))).toEqual(['state.lock'])
})

test.runIf(existsSync('/proc/self/stat'))('a new process of an old number is another one', () => {
  const path = place()
  const release = lockFile(path)
  const own = JSON.parse(readFileSync(`${path}.lock`, 'utf8'))
  release()
  for (const pid of [process.pid, process.ppid]) {
    writeFileSync(`${path}.lock`, JSON.stringify({ ...own, pid, started: 'another boot 1' }))
    lockFile(path)()
  }
})

test('of another machine: at work as long as it says so', () => {
  const path = place()
  lockFile(path)()
  const other = { pid: 1, started: '', machine: `not ${hostname()}` }
  writeFileSync(`${path}.lock`, JSON.stringify(other))
  expect(() => lockFile(path)).toThrow(/process 1 on "not .*" at work on it/)
  const old = new Date(Date.now() - 6 * 60_000)
  utimesSync(`${path}.lock`, old, old)
  lockFile(path)()
})

test('of many who begin at once, after a kill, one has it', async () => {
  const path = place()
  lockFile(path)()
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, started: '', machine: hostname() }))
  const racing = `
    import { lockFile } from '@rlvi/io'
    try {
      lockFile(process.argv.at(-1))
      console.log('holds')
      setInterval(() => undefined, 1000)
    } catch (error) {
      console.log(error.message)
    }
  `
  const racers = Array.from({ length: 6 }, () => script(racing, [path]))
  await new Promise<void>((resolve) => {
    let ended = 0
    for (const { end } of racers) void end.then(() => ++ended === 5 && resolve())
  })
  for (const racer of racers) racer.kill('SIGTERM')
  const all = await Promise.all(racers.map(({ end }) => end))
  const held = all.filter(({ out }) => out === 'holds\n')
  expect(held).toHaveLength(1)
  expect(all.filter(({ out }) => out.includes('one run at a time'))).toHaveLength(5)
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('a disk that is full has no lock, and nothing of one', () => {
  const path = place()
  vi.spyOn(disk, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  })
  expect(() => lockFile(path)).toThrow(
    `${path}: could not be written, got the disk is full; check the folder`,
  )
  vi.restoreAllMocks()
  expect(readdirSync(join(path, '..'))).toEqual([])
})
