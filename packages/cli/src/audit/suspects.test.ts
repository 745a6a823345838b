import { expect, test } from 'vitest'
import { decisionsTable } from './decisions.js'
import { type Findings, summaryOf } from './suspects.js'

const found: Findings = {
  name: 'mail.csv',
  how: 'logistic, calibrated',
  suspects: [{ row: 3, label: 'ham', suggested: 'spam', probability: 0.9, clean: 0.2, loss: 2.3 }],
  flagged: 1,
  level: 0.06,
  cautions: [],
  remarks: [],
  unreadable: [],
  seconds: 1,
}
const head = '1 of 1 labels look like another; 1 are more probably wrong than right'

test.each([
  [{ interval: [0.02, 0.09] }, ', an estimated 6.0 % are wrong (90 % interval 2.0 % to 9.0 %)'],
  [{ interval: [0, 0.09] }, ', an estimated 6.0 % are wrong, perhaps none (90 % interval 0 % to 9.0 %)'],
  [{ level: 0, interval: [0, 0.09] }, ', an estimated 0 % are wrong (90 % interval 0 % to 9.0 %)'],
  [{}, ', an estimated 6.0 % are wrong'],
  [{ level: undefined }, ''],
] as [Partial<Findings>, string][])('the share of wrong labels of %j', (changes, words) => {
  expect(summaryOf({ ...found, ...changes })).toBe(head + words)
})

test.each([
  [0.95, 0.05, 'relabel'],
  [0.85, 0.15, 'look'],
])('a suggestion of probability %d: P(right) %d, to %s', (probability, clean, decision) => {
  const [suspect] = found.suspects
  const { columns } = decisionsTable({ ...found, suspects: [{ ...suspect!, probability, clean }] }, 10)
  expect(columns.find(({ name }) => name === 'decision')?.at(0)).toBe(decision)
})
