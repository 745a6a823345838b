import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testFolder } from './testing/run.js'

const folder = testFolder()
const bin = fileURLToPath(new URL('../bin/rlvi.js', import.meta.url))
const rows = Array.from({ length: 40 }, (_, i) => [i, (i * 7) % 11, 3 * i + ((i * 5) % 7)])
const good = folder.csv('good.csv', [['a', 'b', 'y'], ...rows])
/** For tests of what no method decides: the recommended one takes four times as long to start. */
const plainly = ['--method', 'ml']

interface Ended {
  /** The exit status, or the signal that ended the process. */
  readonly status: number | string | null
  readonly out: string
  readonly err: string
}

function ended(child: ChildProcess): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (piece) => {
    out += piece
  })
  child.stderr?.on('data', (piece) => {
    err += piece
  })
  return new Promise((resolve) =>
    child.on('close', (status, signal) => resolve({ status: status ?? signal, out, err })),
  )
}

function rlvi(...argv: string[]): Promise<Ended> {
  return ended(spawn(process.execPath, [bin, ...argv]))
}

test('exit statuses: 0 done, 1 failed, 2 invalid; one line says why', async () => {
  const done = await rlvi('fit', good, '--target', 'y')
  expect(done.status).toBe(0)
  const failed = await rlvi('fit', good, '--target', 'z')
  expect(failed).toEqual({ status: 1, out: '', err: expect.stringMatching(/^--target: [^\n]*\n$/) })
  const refused = await rlvi('fit', good, '--target', 'y', '--modle', 'linear')
  expect(refused).toEqual({
    status: 2,
    out: '',
    err: expect.stringMatching(/^rlvi fit: unknown option[^\n]*\n$/),
  })
  const help = await rlvi('fit', '--help')
  expect(help).toEqual({ status: 0, out: expect.stringContaining('--target COLUMN'), err: '' })
  expect((await rlvi('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('work that waits for what cannot come is a failure', async () => {
  const deaf = 'data:text/javascript,process.stdin.unref()'
  const child = spawn(process.execPath, ['--import', deaf, bin, 'fit', '-', '--target', 'y'])
  expect(await ended(child)).toEqual({
    status: 1,
    out: '',
    err: 'rlvi: unexpected, the work ended before its end; please report this\n',
  })
})

test('--json prints one document and nothing else on stdout', async () => {
  const { out, err, status } = await rlvi('fit', good, '--target', 'y', ...plainly, '--json')
  expect(status).toBe(0)
  expect(JSON.parse(out).model).toBe('linear')
  expect(err).toMatch(/^model: linear/)
})

test('a reader that goes away is no error', async () => {
  const model = join(folder.path, 'model.json')
  await rlvi('fit', good, '--target', 'y', ...plainly, '--save', model)
  // More than a pipe holds, so that the command is still writing when the reader leaves.
  const lines = Array.from({ length: 100_000 }, (_, i) => `${i},${(i * 7) % 11}`)
  const long = folder.file('long.csv', `a,b\n${lines.join('\n')}\n`)
  const child = spawn(process.execPath, [bin, 'predict', model, long], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.once('data', () => child.stdout.destroy())
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const status = await new Promise((resolve) => child.on('close', resolve))
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test.skipIf(!existsSync('/dev/full'))('results that cannot be written are a failure', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [bin, 'fit', good, '--target', 'y', ...plainly, '--json'], {
    stdio: ['ignore', full, 'pipe'],
  })
  const { status, err } = await ended(child)
  expect(status).toBe(1)
  expect(err.trimEnd().split('\n').at(-1)).toMatch(/stdout: could not be written, got .*ENOSPC/)
})

// The signal must come while the file is written, for which a busy machine may leave no time.
test('a process that is asked to stop leaves no half-written file', { retry: 5 }, async () => {
  rmSync(join(folder.path, 'stop-rows.csv'), { force: true })
  const lines = Array.from({ length: 300_000 }, (_, i) => `${i},${(i * 7) % 11},${3 * i + ((i * 5) % 7)}`)
  const long = folder.file('stop.csv', `a,b,y\n${lines.join('\n')}\n`)
  const before = readdirSync(folder.path)
  const child = spawn(process.execPath, [
    bin,
    'fit',
    long,
    '--target',
    'y',
    ...plainly,
    '--rows',
    join(folder.path, 'stop-rows.csv'),
  ])
  const end = ended(child)
  const seen = await new Promise<boolean>((resolve) => {
    const look = setInterval(() => {
      if (!readdirSync(folder.path).some((name) => name.endsWith('.tmp'))) return
      clearInterval(look)
      resolve(true)
    }, 2)
    end.then(() => {
      clearInterval(look)
      resolve(false)
    })
  })
  expect(seen).toBe(true)
  child.kill('SIGTERM')
  const { status } = await end
  expect(status).toBe('SIGTERM')
  expect(readdirSync(folder.path)).toEqual(before)
})
