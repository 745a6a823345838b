import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '../testing/run.js'
import { busy } from './busy.js'

const folder = testFolder()

/** What is shown of work that keeps the thread to itself for so long. */
async function shown(milliseconds: number): Promise<{ result: string; text: string }> {
  const path = join(folder.path, `shown-${milliseconds}`)
  const fd = openSync(path, 'w')
  const work = (): string => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
    return 'done'
  }
  const result = await busy('fitting', work, { fd, silence: 400 })
  closeSync(fd)
  return { result, text: readFileSync(path, 'utf8') }
}

it('says nothing of what is soon over', async () => {
  expect(await shown(1)).toEqual({ result: 'done', text: '' })
})

it('shows the time of work that takes longer, though no event is heard, and clears its line', async () => {
  const { result, text } = await shown(1800)
  expect(result).toBe('done')
  expect(text).toMatch(/^\r\| fitting, \d s\r\/ fitting, \d s/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a line is cleared
  expect(text).toMatch(/\r\x1b\[K$/)
})

it('passes a failure on', async () => {
  const path = join(folder.path, 'failed')
  const fd = openSync(path, 'w')
  const work = (): never => {
    throw new Error('no fit')
  }
  await expect(busy('fitting', work, { fd })).rejects.toThrow('no fit')
  closeSync(fd)
  expect(readFileSync(path, 'utf8')).toBe('')
})
