import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { standInActivity } from '../online/data/windows.js'
import { type OnlineTask, simulateOnline } from '../online/simulate.js'
import { type SyntheticTask, simulate } from '../synthetic/simulate.js'
import { type runTasks as RunTasks, runTasks } from './threads.js'

const tasks: SyntheticTask[] = [0, 3, 6].map((first) => ({
  kind: 'synthetic',
  problem: 'pca',
  epsilon: 0.2,
  seed: 5,
  first,
  last: first + 3,
}))
const whole = simulate({ kind: 'synthetic', problem: 'pca', epsilon: 0.2, seed: 5, first: 0, last: 9 })

it('gives the same errors however the runs are cut', async () => {
  const seen: number[] = []
  const parts = await runTasks(tasks, { threads: 1, onProgress: (done, total) => seen.push(done / total) })
  expect(parts.flatMap((part) => Array.from(part))).toEqual(Array.from(whole))
  expect(seen).toEqual([1 / 3, 2 / 3, 1])
})

const built = new URL('../../dist/runs/threads.js', import.meta.url)

it.skipIf(!existsSync(fileURLToPath(built)))('gives the same errors on two threads', async () => {
  const { runTasks: onThreads } = (await import(built.href)) as { runTasks: typeof RunTasks }
  const parts = await onThreads(tasks, { threads: 2 })
  expect(parts.flatMap((part) => Array.from(part))).toEqual(Array.from(whole))
  await expect(onThreads([{ ...tasks[0], problem: 'none' }, ...tasks], { threads: 2 })).rejects.toThrow(
    '"none"',
  )
})

it.skipIf(!existsSync(fileURLToPath(built)))('shares data with the threads', async () => {
  const { runTasks: onThreads } = (await import(built.href)) as { runTasks: typeof RunTasks }
  const data = standInActivity(1, 400)
  const online = [0, 1, 2].map((first): OnlineTask => {
    return { kind: 'online', data, size: { train: 50, test: 50 }, seed: 1, first, last: first + 1 }
  })
  const parts = await onThreads(online, { threads: 2 })
  expect(parts).toEqual(online.map(simulateOnline))
})
