import * as v from 'valibot'
import { expect, test } from 'vitest'
import { run, runJson } from './testing.js'

const number = v.pipe(v.number(), v.finite())
const record = v.looseObject({
  problem: v.string(),
  epsilon: number,
  method: v.string(),
  mean: number,
  sem: number,
  min: number,
  q25: number,
  median: number,
  q75: number,
  max: number,
  runs: v.literal(2),
})

test('an experiment as JSON: one array of records, the same for the same seed', async () => {
  const flags = ['reproduce', 'mean', '--runs', '2', '--threads', '1', '--seed', '5']
  const records = v.parse(v.array(record), await runJson(...flags))
  expect(records.length).toBeGreaterThan(0)
  expect(await runJson(...flags)).toEqual(records)
  for (const { min, q25, median, q75, max } of records) {
    expect([min, q25, median, q75, max]).toEqual([min, q25, median, q75, max].sort((a, b) => a - b))
  }
})

test.each([
  [['reproduce', 'maen'], /EXPERIMENT: one of .*mean.* is needed, got "maen"/],
  [['reproduce', 'mean', '--runs', '0'], /--runs: a whole number of at least 1 is needed, got "0"/],
  [['reproduce', 'mean', '--threads', 'all'], /--threads: a whole number of at least 1 is needed, got "all"/],
])('%j is refused', async (argv, message) => {
  const { status, remarks } = await run(...argv)
  expect(remarks).toEqual([expect.stringMatching(message)])
  expect(status).toBe(2)
})
