import { expect, it } from 'vitest'
import { confirmedErrors, ranksOf } from './test-set-errors.js'

it('knows the wrong labels of two test sets, by place and label', () => {
  expect(confirmedErrors('mnist').size).toBe(15)
  // Northcutt, Athalye and Mueller 2021: 54 of CIFAR-10's.
  expect(confirmedErrors('cifar10').size).toBe(54)
  expect(() => confirmedErrors('imagenet')).toThrow(/known are mnist and cifar10, got imagenet/)
})

it('ranks them among rows that count from 1', () => {
  const errors = new Map([
    [4, 0],
    [0, 1],
  ])
  expect(ranksOf(errors, [3, 1, 2, 5, 4])).toEqual([2, 4])
  expect(() => ranksOf(errors, [3, 1])).toThrow(/all test labels must be ranked, got 1 of the 2/)
})
