import { setTimeout as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Room } from './room.js'

test('all work is done, never more of it at once than there is room for', async () => {
  const room = new Room(10)
  const sizes = [4, 4, 4, 1, 30, 2, 8, 3, 10, 1]
  let taken = 0
  let most = 0
  const done = await Promise.all(
    sizes.map((size, k) =>
      room.use(size, async () => {
        const own = Math.min(size, 10)
        taken += own
        most = Math.max(most, taken)
        await later(k % 3)
        taken -= own
        return k
      }),
    ),
  )
  expect(done).toEqual(sizes.map((_, k) => k))
  expect(most).toBe(10)
})

test('work that fails makes room for the others', async () => {
  const room = new Room(10)
  const failing = room.use(10, () => Promise.reject(new Error('broken')))
  const next = room.use(10, () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
