import { expect, it } from 'vitest'
import { levelRemarks, type Seen } from './level-remarks.js'

const classes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
const many: Seen = { images: 1000, classes, givenUp: [] }

it('has a word of warning where more than half of the labels seem wrong', () => {
  expect(levelRemarks(undefined, many)).toEqual([])
  expect(levelRemarks(0.5, many)).toEqual([])
  expect(levelRemarks(0.62, many)).toEqual([
    expect.stringMatching(/^an estimated 62 % of the labels are wrong; beyond one half no method can tell/),
  ])
})

it('says where there are too few images to tell the share, whatever it is', () => {
  for (const level of [0, 0.3])
    expect(levelRemarks(level, { ...many, images: 999 })).toEqual([
      expect.stringMatching(
        /^999 images of 10 classes, fewer than 100 of each, are too few to tell what share/,
      ),
    ])
  expect(levelRemarks(undefined, { ...many, images: 9 })).toEqual([])
})

it('names classes that were given up for others, the first three of many', () => {
  const pair = { label: 1, like: 0 }
  expect(levelRemarks(0, { ...many, givenUp: [pair] })).toEqual([
    expect.stringMatching(/^most images labelled "b" are taken for "a": the two may look alike, /),
  ])
  const pairs = [pair, { label: 2, like: 3 }, { label: 4, like: 3 }, { label: 5, like: 3 }]
  expect(levelRemarks(0, { ...many, givenUp: pairs })).toEqual([
    expect.stringMatching(
      /labelled "b" are taken for "a", most labelled "c" are taken for "d", .*, and so it is with 1 more: /,
    ),
  ])
  expect(levelRemarks(undefined, { ...many, givenUp: [pair] })).toEqual([])
})
