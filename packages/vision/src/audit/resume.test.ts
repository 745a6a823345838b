import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { onnxExecutor } from '@rlvi/nn'
import { expect, it } from 'vitest'
import { loadData } from '../data/load.js'
import { testFolder, writeMnist } from '../data/testing.js'
import { settingsFor } from '../training/settings.js'
import { type AuditOptions, audit } from './audit.js'
import { auditDuration } from './duration.js'

const folder = testFolder()
const data = await loadData(writeMnist(join(folder, 'mnist'), 60, 10))
const options: AuditOptions = {
  split: 'train',
  settings: { ...settingsFor('own', data.train), epochs: 4, batch: 16 },
  method: 'rlvi',
  executor: onnxExecutor(),
  folds: 2,
  networks: 1,
  warmUp: true,
  seed: 0,
}

it('comes to the same numbers, however often it was interrupted', async () => {
  const whole = await audit(data, options)
  const checkpoint = join(folder, 'kept')
  let interruptions = 0
  const goOn = async (): Promise<typeof whole> => {
    const stop = new AbortController()
    let calls = 0
    try {
      return await audit(data, {
        ...options,
        checkpoint,
        signal: stop.signal,
        onProgress: () => {
          calls += 1
          if (calls === 2) stop.abort()
        },
      })
    } catch (error) {
      expect(String(error)).toMatch(/audit: stopped before all 2 networks were trained, got [01]; /)
      interruptions += 1
      return goOn()
    }
  }
  const resumed = await goOn()
  expect(interruptions).toBeGreaterThan(2)
  expect(resumed.losses).toEqual(whole.losses)
  expect(resumed.suggested).toEqual(whole.suggested)
  // The networks' own checkpoints are gone, the scores are kept.
  expect(existsSync(join(checkpoint, 'network-2'))).toBe(false)
  expect((await audit(data, { ...options, checkpoint })).losses).toEqual(whole.losses)
  await expect(audit(data, { ...options, checkpoint, folds: 3 })).rejects.toThrow(
    /must have the same folds, 3, got 2; choose another folder/,
  )
})

it('says how long it takes where it takes long', async () => {
  const large = await loadData(writeMnist(join(folder, 'large'), 600, 10))
  const short = await auditDuration(large, options)
  const long = await auditDuration(large, { ...options, settings: { ...options.settings, epochs: 4000 } })
  expect(short).toBeGreaterThan(0)
  // A thousand times the work; the clock of a busy machine is no better than that.
  expect(long! / short!).toBeGreaterThan(50)
  // Too few for one step.
  const few = { ...options, settings: { ...options.settings, batch: 10_000 } }
  expect(await auditDuration(data, few)).toBeUndefined()
})
