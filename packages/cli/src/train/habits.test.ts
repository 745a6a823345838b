import { expect, it } from 'vitest'
import { habitMatrix, habitsOf } from './habits.js'

it('names the habits, the most frequent first, and leaves out what hardly happens', () => {
  const matrix = habitMatrix([0.7, 0.3, 0, 0.45, 0.55, 0, 0.001, 0, 0.999], ['cat', 'dog', 'eel'])
  expect(matrix.shares[1]).toEqual([0.45, 0.55, 0])
  expect(habitsOf(matrix)).toEqual([
    { truth: 'dog', label: 'cat', share: 0.45 },
    { truth: 'cat', label: 'dog', share: 0.3 },
  ])
})
