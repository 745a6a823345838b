import { expect, it } from 'vitest'
import { beyondHalf, habitMatrix, habitsOf } from './habits.js'

it('names the habits, the most frequent first, and leaves out what hardly happens', () => {
  const matrix = habitMatrix([0.7, 0.3, 0, 0.45, 0.55, 0, 0.001, 0, 0.999], ['cat', 'dog', 'eel'])
  expect(matrix.shares[1]).toEqual([0.45, 0.55, 0])
  expect(habitsOf(matrix)).toEqual([
    { truth: 'dog', label: 'cat', share: 0.45 },
    { truth: 'cat', label: 'dog', share: 0.3 },
  ])
})

it('has a word of warning where more than half of the labels seem wrong', () => {
  expect(beyondHalf(undefined)).toEqual([])
  expect(beyondHalf(0.5)).toEqual([])
  expect(beyondHalf(0.62)).toEqual([
    expect.stringMatching(/^an estimated 62 % of the labels are wrong; beyond one half no method can tell/),
  ])
})
