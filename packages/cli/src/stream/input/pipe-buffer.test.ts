import { expect, test } from 'vitest'
import { pipeBuffer } from './pipe-buffer.js'

test('everything from a byte on is kept, and no more', () => {
  const kept = pipeBuffer(10)
  for (const piece of ['abc', 'def', 'ghi']) kept.add(Buffer.from(piece), false)
  expect(kept.from(10).toString()).toBe('abcdefghi')
  expect(kept.from(15).toString()).toBe('fghi')
  kept.forget(14)
  expect(kept.from(10).toString()).toBe('defghi')
  kept.forget(19)
  expect(kept.from(10).toString()).toBe('')
})

test('of a line that is passed over only its beginning and its end are kept', () => {
  const kept = pipeBuffer(0)
  kept.add(Buffer.from('xxxx'), false)
  kept.add(Buffer.from('xxxx'), true)
  kept.add(Buffer.from('xx\nyy'), true)
  expect(kept.from(0).toString()).toBe('xxxxxx\nyy')
  expect(kept.from(11).toString()).toBe('yy')
})
