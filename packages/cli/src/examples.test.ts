import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleCache, writeExampleData } from './testing/example-data.js'
import { examplesIn, helpTexts } from './testing/help.js'
import { run, testFolder } from './testing/run.js'

const folder = testFolder()

// Examples are for a POSIX shell.
describe.skipIf(process.platform === 'win32')('the examples of the help texts', () => {
  const home = process.cwd()
  beforeAll(async () => {
    await writeExampleData(folder)
    process.chdir(folder.path)
    process.env.RLVI_CACHE = exampleCache(folder.path)
  })
  afterAll(() => {
    process.chdir(home)
    delete process.env.RLVI_CACHE
  })

  for (const [command, help] of helpTexts) {
    const lines = examplesIn(help)
    it(`${command} has some`, () => expect(lines.length).toBeGreaterThan(0))
    it.each(lines)('%s', async (line) => {
      // One of each command, and what needs a shell, as a user has it; the others without the start of a process.
      const isPlain = line !== lines[0] && /^rlvi [\w ./,=-]+$/.test(line) && !line.includes('--follow')
      expect(await (isPlain ? here(shortened(line)) : shell(shortened(line)))).toEqual({ status: 0, err: '' })
    })
  }
})

/** The same with fewer repetitions. */
function shortened(line: string): string {
  return line.replace(/--runs \d+/, '--runs 1').replace(/--epochs \d+/, '--epochs 1')
}

/** The same by the command inside of this process. */
async function here(line: string): ReturnType<typeof shell> {
  const { status, remarks } = await run(...line.split(' ').slice(1))
  return { status, err: status === 0 ? '' : remarks.join('\n') }
}

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
