import { fitTable, type TableFit } from '@rlvi/estimator'
import { expect, test } from 'vitest'
import { headline, levelText } from './words.js'

const x = Array.from({ length: 60 }, (_, i) => Math.sin(i))
const fit = fitTable({ x, y: x.map((value, i) => value + 0.1 * Math.cos(7 * i)) }, { target: 'y' })
const found = (level: number, interval: readonly [number, number] | undefined): TableFit => ({
  ...fit,
  flagged: 0,
  corruption: { level, interval, source: 'inferred' },
})

test('no row that stands out is not no bad row', () => {
  expect(headline(found(0, [0, 0.02]))).toBe('No row looks bad.')
  expect(headline(found(0, [0, 0.12]))).toMatch(/^No row stands out, but up to 12.% may be bad\.$/)
  expect(headline(found(0, undefined))).toBe('No row stands out, but how many are bad cannot be told.')
  expect(levelText(found(0.06, undefined))).toMatch(
    /^About 6.% of the rows are bad; how far off that is cannot be told\.$/,
  )
})
