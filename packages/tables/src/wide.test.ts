import { expect, test } from 'vitest'
import { look } from './look/look.js'
import { lookThrough } from './numeric.js'
import { withTable } from './table.js'
import { testFolder } from './testing.js'

const folder = testFolder()

test('hundreds of columns are looked at in bounded memory, each as if it were alone', async () => {
  const names = Array.from({ length: 600 }, (_, j) => `c${j}`)
  const cell = (i: number, j: number): string => (j % 7 === 3 ? 'abc'[i % 3]! : String(i * (j + 1)))
  const rows = Array.from({ length: 20 }, (_, i) => names.map((_, j) => cell(i, j)).join())
  const path = folder.file('wide.csv', `${names.join()}\n${rows.join('\n')}\n`)
  const before = process.memoryUsage.rss()
  const [seen, { columns }] = await withTable(path, {}, async (table) => [
    await lookThrough(table, names, {}),
    await look(table),
  ])
  // Planned as one query, it took gigabytes.
  expect(process.memoryUsage.rss() - before).toBeLessThan(1e9)
  expect(seen.rows).toEqual([20])
  expect(names.map((name) => seen.numeric.has(name))).toEqual(names.map((_, j) => j % 7 !== 3))
  expect(columns.map(({ name, kind }) => [name, kind])).toEqual(
    names.map((name, j) => [name, j % 7 === 3 ? 'text' : 'number']),
  )
})
