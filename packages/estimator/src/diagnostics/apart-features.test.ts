import { matrix } from 'rlvi'
import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import type { DesignColumn } from '../encoding/encoding.js'
import { fitTable } from '../fit/fit-table.js'
import { argumentWords } from '../words.js'
import { apartFeaturesRemark } from './apart-features.js'

const columns = [{ name: 'x' }] as unknown as DesignColumn[]
const remarkOf = (values: readonly number[], model: 'logistic' | 'linear' = 'logistic') =>
  apartFeaturesRemark(
    matrix(values.length, 1, Float64Array.from(values)),
    columns,
    Int32Array.from(values.keys()),
    model,
    argumentWords,
  )

test('some lengths in millimetres among centimetres are told in a model of labels', () => {
  const random = draws('apart', 1)
  const length = Array.from({ length: 300 }, (_, i) => 4 + 2 * (i % 2) + 0.4 * random.normal())
  const species = length.map((_, i) => (i % 2 === 0 ? 'a' : 'b'))
  expect(fitTable({ length, species }, { target: 'species' }).remarks.join()).not.toContain('lie apart')
  const mixed = length.map((value, i) => (i % 20 === 1 ? 10 * value : value))
  const { remarks } = fitTable({ length: mixed, species }, { target: 'species' })
  expect(remarks.join('\n')).toMatch(
    /15 rows \(row 1, row 21, row 41, …\) lie apart in column "length", at 5\d.* where the others have [23].* labels/,
  )
  // Those that lie apart are of the longer species: 60 of millimetres to about 4.4 of centimetres.
  expect(remarks.join('\n')).toMatch(/\(1[1-6](\.\d)? times as much in the median\)/)
})

test('on either side, in any order', () => {
  const random = draws('apart', 2)
  const values = Array.from({ length: 200 }, (_, i) => random.normal() - (i < 6 ? 40 : 0))
  const found =
    /^6 rows \(row \d+, row \d+, row \d+, …\) (lie apart in column "x", at -4\d.* where the others have -[23].*)$/
  expect(remarkOf(values)).toMatch(found)
  const [, rest] = found.exec(remarkOf(values)!)!
  expect(found.exec(remarkOf(values.toReversed())!)![1]).toBe(rest)
})

test('long tails, codes, levels of a scale and single rows are none, and `linear` judges features itself', () => {
  const random = draws('apart', 3)
  const normal = Array.from({ length: 400 }, () => random.normal())
  expect(remarkOf(normal)).toBeUndefined()
  expect(remarkOf(normal.map(Math.exp))).toBeUndefined()
  expect(remarkOf(normal.map((value, i) => (i < 20 ? -99 : value)))).toBeUndefined()
  expect(remarkOf(normal.map((value, i) => (i < 20 ? 100 + (i % 7) : value > 0 ? 1 : 0)))).toBeUndefined()
  expect(remarkOf(normal.map((value, i) => (i === 0 ? 1e6 : value)))).toBeUndefined()
  const apart = normal.map((value, i) => (i < 20 ? value + 50 : value))
  expect(remarkOf(apart)).toBeDefined()
  expect(remarkOf(apart, 'linear')).toBeUndefined()
})
