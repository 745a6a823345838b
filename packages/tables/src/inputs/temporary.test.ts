import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RlviError } from 'rlvi'
import { afterAll, expect, test } from 'vitest'
import { failed } from './failed.js'
import { temporaryError } from './temporary.js'

const folder = mkdtempSync(join(tmpdir(), 'rlvi-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const built = new URL('../../dist/inputs/temporary.js', import.meta.url).href
/** The signal comes while the process is at work and hears nothing: it waits when the files are let go. */
const program = `
  import { writeFileSync } from 'node:fs'
  import { temporaryFiles } from ${JSON.stringify(built)}
  const files = temporaryFiles()
  writeFileSync(files.path('rows'), '1')
  process.kill(process.pid, process.argv.at(-1))
  await files.remove()
  console.log('went on')
`

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s, given once during the work, is heard at its end',
  (signal) => {
    const argv = ['--input-type=module', '--eval', program, signal]
    const ended = spawnSync(process.execPath, argv, {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: folder },
    })
    expect(ended).toMatchObject({ signal, stdout: '', stderr: '' })
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a program apart says whether it was the disk that failed, or the file', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(failed(full)).toEqual({ error: full.message, code: 'ENOSPC' })
  expect(failed(Object.assign(new Error('no such archive'), { code: 'ENOENT' }))).toEqual({
    error: 'no such archive',
  })
  expect(temporaryError(full)).toBeInstanceOf(RlviError)
  const other = new Error('of another kind')
  expect(temporaryError(other)).toBe(other)
})
