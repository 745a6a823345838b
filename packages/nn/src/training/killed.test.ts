import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seeded } from 'rlvi/random'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'rlvi-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const program = fileURLToPath(new URL('../testing/training-process.mjs', import.meta.url))
const file = (name: string): string => join(folder, name)

/** Runs the training, killed once it has said this many lines; or under a limit on the size of files (KiB). */
function run(
  name: string,
  epochs: number,
  end: { readonly lines?: number; readonly largest?: number } = {},
): Promise<{ readonly status: number | string | null; readonly out: string; readonly err: string }> {
  const args = [program, file(`${name}.checkpoint`), file(`${name}.result`), String(epochs)]
  const child =
    end.largest === undefined
      ? spawn(process.execPath, args)
      : spawn('bash', ['-c', `ulimit -f ${end.largest}; exec "$0" "$@"`, process.execPath, ...args])
  let out = ''
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  child.stdout.on('data', (piece) => {
    out += piece
    if (end.lines !== undefined && out.split('\n').length > end.lines) child.kill('SIGKILL')
  })
  return new Promise((resolve) =>
    child.on('close', (status, signal) => resolve({ status: status ?? signal, out, err })),
  )
}

it('killed at any time, a training goes on and ends with the very same numbers', async () => {
  expect(await run('whole', 4)).toMatchObject({ status: 0, err: '' })
  const uniform = seeded(5, 'kills')
  let kills = 0
  for (;;) {
    const { status, err } = await run('killed', 4, { lines: 1 + Math.floor(4 * uniform()) })
    expect(err).toBe('')
    if (status === 0) break
    expect(status).toBe('SIGKILL')
    kills++
    expect(kills).toBeLessThan(30)
  }
  expect(kills).toBeGreaterThan(3)
  const [whole, killed] = ['whole', 'killed'].map((name) => readFileSync(file(`${name}.result`)))
  expect(killed.equals(whole)).toBe(true)
})

it('where the disk is full it says so, and the checkpoint before stays', async () => {
  await run('full', 2)
  const before = readFileSync(file('full.checkpoint'))
  const refused = await run('full', 3, { largest: 4 })
  expect(refused.status).toBe(1)
  expect(refused.err).toMatch(/full\.checkpoint: could not be written, got .*nothing was changed there/)
  expect(readFileSync(file('full.checkpoint')).equals(before)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp') && name.includes('full'))).toEqual([])
  expect(await run('full', 3)).toMatchObject({ status: 0 })
})
