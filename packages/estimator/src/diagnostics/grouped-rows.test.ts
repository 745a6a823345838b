import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

/** Patients with a number and an age, each at four visits; labels by the number, with a border that is not sharp. */
function visits(patients: number, times: number) {
  const random = draws('visits', patients, times)
  const base: number[] = []
  const age: number[] = []
  const visit: number[] = []
  const outcome: string[] = []
  for (let k = 0; k < patients; k++) {
    const [own, years] = [Math.round(30 + 12 * random.normal()), Math.round(40 + 9 * random.normal())]
    for (let t = 0; t < times; t++) {
      base.push(own)
      age.push(years)
      visit.push(t)
      outcome.push(own + 12 * random.normal() > 30 ? 'more' : 'fewer')
    }
  }
  return { base, age, visit, outcome }
}

const remarksOf = (table: ReturnType<typeof visits>): string =>
  fitTable(table, { target: 'outcome' }).remarks.join('\n')

test('rows of one patient at several visits are told, in a model of labels', () => {
  expect(remarksOf(visits(40, 4))).toMatch(
    /\d+ of 160 rows share "base", "age" with others, in (3\d|40) groups, as where one person/,
  )
})

test('rows that are alike by chance are not', () => {
  expect(remarksOf(visits(160, 1))).not.toContain('with others, in')
})
