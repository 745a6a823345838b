import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../testing.js'
import { type BlockFile, COPY_ROWS, createBlockFile } from './block-file.js'

const folder = testFolder()
const ROWS = 2 * COPY_ROWS + 1000

/** Row i holds i, i + 0.5, 2 i, and so on. */
async function fileOf(name: string, perRow: number): Promise<BlockFile> {
  const file = (await createBlockFile(join(folder.path, name), ROWS, perRow))!
  for (let first = 0; first < ROWS; first += COPY_ROWS) {
    const rows = Math.min(COPY_ROWS, ROWS - first)
    const values = Float64Array.from(
      { length: rows * perRow },
      (_, k) => first + Math.floor(k / perRow) + (k % perRow) / 2,
    )
    await file.write(rows, [values])
  }
  expect(await file.finish()).toBe(true)
  return file
}

test('a file that takes the place of its own rows, while they are read, loses none of them', async () => {
  const file = await fileOf('over', 4)
  expect(file.over(5)).toBeUndefined()
  const shorter = file.over(2)!
  // Every third row is left out, so that blocks are filled from two.
  let room = new Float64Array(2 * COPY_ROWS)
  let filled = 0
  const flush = async (): Promise<void> => {
    await shorter.write(filled, [room.subarray(0, 2 * filled)])
    room = new Float64Array(2 * COPY_ROWS)
    filled = 0
  }
  await file.each(async (values, rows, first) => {
    for (let i = 0; i < rows; i++) {
      if ((first + i) % 3 === 0) continue
      room.set([values[4 * i]!, values[4 * i + 3]!], 2 * filled++)
      if (filled === COPY_ROWS) await flush()
    }
  })
  await flush()
  expect(await shorter.finish()).toBe(true)
  const wanted = Array.from({ length: ROWS }, (_, i) => i).filter((i) => i % 3 !== 0)
  let at = 0
  await shorter.each((values, rows) => {
    for (let i = 0; i < rows; i++, at++)
      expect([values[2 * i], values[2 * i + 1]]).toEqual([wanted[at], wanted[at]! + 1.5])
  })
  expect(at).toBe(wanted.length)
  await shorter.close()
  expect(existsSync(join(folder.path, 'over'))).toBe(false)
})

test('without room on the disk there is no file', async () => {
  const path = join(folder.path, 'large')
  expect(await createBlockFile(path, 1e15, 20)).toBeUndefined()
  expect(existsSync(path)).toBe(false)
})
