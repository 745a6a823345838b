import { expect, it } from 'vitest'
import { levelRemarks } from './level-remarks.js'

const many = { images: 1000, classes: 10 }

it('has a word of warning where more than half of the labels seem wrong', () => {
  expect(levelRemarks(undefined, many)).toEqual([])
  expect(levelRemarks(0.5, many)).toEqual([])
  expect(levelRemarks(0.62, many)).toEqual([
    expect.stringMatching(/^an estimated 62 % of the labels are wrong; beyond one half no method can tell/),
  ])
})

it('says where there are too few images to tell the share, whatever it is', () => {
  for (const level of [0, 0.3])
    expect(levelRemarks(level, { images: 999, classes: 10 })).toEqual([
      expect.stringMatching(
        /^999 images of 10 classes, fewer than 100 of each, are too few to tell what share/,
      ),
    ])
  expect(levelRemarks(undefined, { images: 9, classes: 10 })).toEqual([])
})
