import { expect, test } from 'vitest'
import { main } from './main.js'

/** The command, whose output fails with an error. */
async function failing(error: Error): Promise<readonly [number, readonly string[]]> {
  const remarks: string[] = []
  const io = {
    out: () => Promise.reject(error),
    remark: (line: string) => void remarks.push(line),
    terminal: false,
  }
  return [await main(['--version'], io), remarks]
}

test('what the system refuses is said in words, and is nothing to report', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  expect(await failing(full)).toEqual([
    1,
    ['rlvi: could not go on, got the disk is full (ENOSPC: no space left on device, write)'],
  ])
  expect(await failing(new TypeError('x is not a function'))).toEqual([
    1,
    ['rlvi: unexpected, x is not a function; please report this'],
  ])
})
