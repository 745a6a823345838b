import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

// The list of a ship's passengers has who survived twice: as 0 and 1, and as a word.
const n = 200
const wave = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k)
const age = Array.from({ length: n }, (_, i) => 30 + 20 * wave(i, 1))
const survived = age.map((years, i) => Number(years - 30 + 15 * wave(i, 2) < 0) ^ Number(i % 20 === 7))
const alive = survived.map((own) => (own === 1 ? 'yes' : 'no'))

test('a column that has the labels in other words is named, as is one that they were made from', () => {
  const found = fitTable({ age, alive, survived }, { target: 'survived' })
  expect(found.remarks).toContain(
    'column "alive" tells every label alone (all rows with the same "alive" have one label): where one was made from the other, an error is in both and its row looks good; exclude ["alive"] leaves it out',
  )
  const mark = survived.map((own, i) => 50 * own + 40 * Math.abs(wave(i, 3)))
  const three = mark.map((own) => (own < 20 ? 'failed' : own < 60 ? 'passed' : 'merit'))
  const { remarks } = fitTable({ age, mark, three }, { target: 'three' })
  expect(remarks.join('\n')).toContain(
    'column "mark" tells every label alone (all rows of "merit" have a larger "mark" than all of "passed")',
  )
})

test('a column of which one row differs is a column like others', () => {
  const nearly = alive.map((own, i) => (i === 3 ? (own === 'yes' ? 'no' : 'yes') : own))
  const { remarks } = fitTable({ age, nearly, survived }, { target: 'survived' })
  expect(remarks.join('\n')).not.toContain('tells every label')
})
