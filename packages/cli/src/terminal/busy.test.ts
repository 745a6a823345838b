import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '../testing/run.js'
import { busy } from './busy.js'

const folder = testFolder()

/** Keeps the thread to itself until so much is shown, however long the other thread takes for it. */
function keepUntil(path: string, sign: RegExp): void {
  const end = Date.now() + 120_000
  while (!sign.test(readFileSync(path, 'utf8')) && Date.now() < end)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}

/** What is shown of work that keeps the thread to itself until there is such a sign. */
async function shown(sign: RegExp): Promise<{ result: string; text: string }> {
  const path = join(folder.path, 'shown')
  const fd = openSync(path, 'w')
  const work = (): string => {
    keepUntil(path, sign)
    return 'done'
  }
  const result = await busy('fitting', work, { fd, silence: 400 })
  closeSync(fd)
  return { result, text: readFileSync(path, 'utf8') }
}

it('says nothing of what is soon over', async () => {
  expect(await shown(/^/)).toEqual({ result: 'done', text: '' })
})

it('shows a bar with the time of work that takes longer, though no event is heard, and clears its line', async () => {
  const { result, text } = await shown(/\r.*\r.*\r/s)
  expect(result).toBe('done')
  const lines = text.split('\r')
  // The bar moves, as nobody knows how much is left.
  expect(lines[1]).toMatch(/^\[<==> +\] fitting, \d+ s/)
  expect(lines[2]).toMatch(/^\[ <==> +\] fitting, \d+ s/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a line is cleared
  expect(text).toMatch(/\r\x1b\[K$/)
})

it('shows what is being done now, and how much of it is done', async () => {
  const path = join(folder.path, 'now')
  const fd = openSync(path, 'w')
  await busy(
    'reading',
    (show) => {
      keepUntil(path, /reading/)
      show?.('fitting 60 rows, pass 7, 12 % bad so far')
      keepUntil(path, /so far/)
      show?.('judging', 0.5)
      keepUntil(path, /judging/)
    },
    { fd, silence: 200 },
  )
  closeSync(fd)
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(/\] reading, \d+ s[\s\S]*\] fitting 60 rows, pass 7, 12 % bad so far, \d+ s/)
  expect(text).toContain(`[${'='.repeat(8)}${' '.repeat(8)}] judging, `)
})

it.each([
  [70, /^\[[ <=>]{16}\] fitting 5000 rows, pass 7, 12 % bad so far, \d+ s$/],
  [55, /^fitting 5000 rows, pass 7, 12 % bad so far, \d+ s$/],
  [30, /^….*12 % bad so far, \d+ s$/],
])('on a terminal of %i columns shows what changes, in one line', async (columns, wanted) => {
  const path = join(folder.path, `narrow-${columns}`)
  const fd = openSync(path, 'w')
  const work = (): void => keepUntil(path, /so far[\s\S]*\r/)
  await busy('fitting 5000 rows, pass 7, 12 % bad so far', work, { fd, silence: 100, columns })
  closeSync(fd)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a line is cleared
  const [first = ''] = readFileSync(path, 'utf8').split(/\x1b\[K/)
  expect(first.slice(1)).toMatch(wanted)
  expect(first.length - 1).toBeLessThan(columns)
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
