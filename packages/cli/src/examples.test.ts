import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleCache, writeExampleData } from './testing/example-data.js'
import { examplesIn, helpTexts } from './testing/help.js'
import { testFolder } from './testing/run.js'

const folder = testFolder()

// Examples are for a POSIX shell.
describe.skipIf(process.platform === 'win32')('the examples of the help texts', () => {
  beforeAll(() => writeExampleData(folder))

  for (const [command, help] of helpTexts) {
    const lines = examplesIn(help)
    it(`${command} has some`, () => expect(lines.length).toBeGreaterThan(0))
    it.each(lines)('%s', async (line) => expect(await shell(line)).toEqual({ status: 0, err: '' }))
  }
})

/** The exit status of a line in a shell, and what it wrote to stderr if it failed. */
async function shell(line: string): Promise<{ status: number | string | null; err: string }> {
  const env = {
    ...process.env,
    PATH: `${join(folder.path, 'bin')}${delimiter}${process.env.PATH}`,
    RLVI_CACHE: exampleCache(folder.path),
  }
  // What follows a file never ends by itself: it takes the place of the shell, so that the signal reaches it.
  const follows = line.includes('--follow')
  const child = spawn('sh', ['-c', follows ? `exec ${line}` : line], {
    cwd: folder.path,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('close', (status, signal) => resolve(status ?? signal)),
  )
  if (follows) {
    const [, out = ''] = /--out (\S+)/.exec(line) ?? []
    const path = join(folder.path, out)
    while (child.exitCode === null && !(existsSync(path) && statSync(path).size > 0)) await sleep(20)
    child.kill('SIGTERM')
  }
  const status = await ended
  return { status, err: status === 0 ? '' : err }
}
