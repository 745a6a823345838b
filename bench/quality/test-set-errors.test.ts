import { writeSafetensors } from '@rlvi/nn'
import { expect, it } from 'vitest'
import { confirmedErrors, rankingsOfScores, ranksOf } from './test-set-errors.js'

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

it('ranks by what a network says of images as they are, and of moved ones', () => {
  // Three samples of two classes; as they are the second label is the least probable, moved the third.
  const [plain, views] = [
    [0.9, 0.1, 0.95, 0.05, 0.3, 0.7],
    [0.9, 0.1, 0.2, 0.8, 0.95, 0.05],
  ].map((values) => ({ shape: [3, 2], values: Float32Array.from(values) }))
  const bytes = writeSafetensors(new Map(Object.entries({ plain, views })), { labels: '0 1 1' })
  const [audited, asked, alone] = rankingsOfScores('file', bytes).map(([, rows]) => rows)
  expect(audited[0]).toBe(3)
  expect(asked).toEqual([3, 2, 1])
  expect(alone).toEqual([2, 3, 1])
})
