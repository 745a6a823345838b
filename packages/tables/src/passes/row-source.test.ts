import { writeFileSync } from 'node:fs'
import { fitSource } from '@rlvi/estimator'
import { expect, test } from 'vitest'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { checkNumbers, withRowSource } from './row-source.js'

const folder = testFolder()

test('a file that is written anew between two scans is an error, though it has as many rows', async () => {
  const text = (shift: number): string =>
    `x,y\n${Array.from({ length: 300 }, (_, i) => `${i % 17},${2 * (i % 17) + Math.sin(i) + shift}`).join('\n')}\n`
  const path = folder.file('changing.csv', text(0))
  const wanted = { features: ['x'], target: 'y' }
  const fit = withTable(path, {}, (table) =>
    withRowSource(table, wanted, async (source) => {
      await fitSource(source, { target: 'y', features: ['x'], method: 'paper' })
      await source.eachRows(['y'], () => undefined)
      writeFileSync(path, text(100))
      await source.eachRows(['y'], () => undefined)
    }),
  )
  await expect(fit).rejects.toThrow(
    `${path}: a file that stays as it is during a fit is needed, got one that changed; try again`,
  )
})

test('a table with more rows than can be numbered is refused', () => {
  expect(() => checkNumbers('all.parquet', 2 ** 31 - 1)).not.toThrow()
  expect(() => checkNumbers('all.parquet', 2 ** 31)).toThrow(
    'all.parquet: a file may have 2147483647 rows at most, got 2147483648; fit a part of it by a query',
  )
})
