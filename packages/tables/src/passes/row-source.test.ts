import { expect, test } from 'vitest'
import { checkNumbers } from './row-source.js'

test('a table with more rows than can be numbered is refused', () => {
  expect(() => checkNumbers('all.parquet', 2 ** 31 - 1)).not.toThrow()
  expect(() => checkNumbers('all.parquet', 2 ** 31)).toThrow(
    'all.parquet: a file may have 2147483647 rows at most, got 2147483648; fit a part of it by a query',
  )
})
