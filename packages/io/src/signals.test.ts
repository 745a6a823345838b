import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { cleanUpOnExit, hearSignals } from './signals.js'
import { script } from './testing/process.js'

const counts = (): number[] =>
  ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((name) => process.listenerCount(name))
const before = counts()
afterEach(() => expect(counts()).toEqual(before))

test('the first signal asks, and wakes who waits', async () => {
  const stop = hearSignals()
  expect(stop.asked).toBe(false)
  const woken = once(stop.signal, 'abort')
  process.kill(process.pid, 'SIGTERM')
  await woken
  expect(stop.asked).toBe(true)
  stop.release()
})

test('one may ask without a signal, and let go without being asked', () => {
  const [asked, released] = [hearSignals(), hearSignals()]
  asked.ask()
  released.release()
  expect([asked.asked, released.asked]).toEqual([true, false])
})

test('listens only while it is needed, once for all', () => {
  const plus = (...more: number[]): number[] => before.map((count, i) => count + more[i]!)
  const stop = hearSignals()
  expect(counts()).toEqual(plus(1, 1, 0, 0))
  const releases = [cleanUpOnExit(() => undefined), cleanUpOnExit(() => undefined)]
  expect(counts()).toEqual(plus(1, 1, 1, 1))
  for (const release of releases) release()
  expect(counts()).toEqual(plus(1, 1, 0, 0))
  stop.release()
})

const head = `import { cleanUpOnExit, hearSignals } from '@rlvi/io'
  const clean = () => process.stdout.write('cleaned\\n')
  setInterval(() => {}, 1e6)\n`

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s cleans up, then ends the process', async (signal) => {
  const child = script(`${head} cleanUpOnExit(clean); console.log('ready')`)
  await child.says('ready')
  child.kill(signal)
  expect(await child.end).toEqual({ status: signal, out: 'ready\ncleaned\n', err: '' })
})

test('an exit cleans up too, unless it was taken back', async () => {
  const exits = script(`${head} cleanUpOnExit(clean); process.exit(3)`)
  expect(await exits.end).toEqual({ status: 3, out: 'cleaned\n', err: '' })
  const released = script(`${head} cleanUpOnExit(clean)(); process.exit(3)`)
  expect(await released.end).toEqual({ status: 3, out: '', err: '' })
})

test('what is being written survives the signal that asks, and goes with the second one', async () => {
  const child = script(`${head} const stop = hearSignals(); cleanUpOnExit(clean)
    stop.signal.onabort = () => console.log('asked')
    console.log('ready')`)
  await child.says('ready')
  child.kill('SIGINT')
  await child.says('asked')
  child.kill('SIGINT')
  expect(await child.end).toEqual({ status: 'SIGINT', out: 'ready\nasked\ncleaned\n', err: '' })
})

test('where the program listens itself, it says when to end', async () => {
  const child = script(`${head} cleanUpOnExit(clean)
    process.on('SIGTERM', () => { console.log('mine'); setTimeout(() => process.exit(0), 50) })
    console.log('ready')`)
  await child.says('ready')
  child.kill('SIGTERM')
  expect(await child.end).toEqual({ status: 0, out: 'ready\nmine\ncleaned\n', err: '' })
})
