import { expect, test } from 'vitest'
import { fromDuckDB } from './errors.js'

test('a database without room is told with how much it had, and what helps', () => {
  // As DuckDB 1.5 says it.
  const said =
    'Out of Memory Error: failed to allocate data of size 1.0 MiB (142.5 MiB/143.0 MiB used)\n\nPossible solutions:\n* Increasing memory limit'
  expect(fromDuckDB('wide.parquet', new Error(said), 'could be read').message).toBe(
    'wide.parquet: could be read, got no memory left (142.5 MiB/143.0 MiB); allow more `memory`, or write the file in smaller groups of rows',
  )
})
