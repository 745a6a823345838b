import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runJson } from '../testing/run.js'

const folder = fileURLToPath(new URL('../../golden/files', import.meta.url))
const files = readdirSync(folder).filter((name) => name.includes('.csv'))

interface Expected {
  readonly target: string
  readonly rows: number
  readonly missing: number
  /** The root mean square of lm's residuals. */
  readonly rms: number
}
const expected: Readonly<Record<string, Expected>> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
)

test.each(files)('%s is read without a flag, and fitted as lm fits it', async (file) => {
  const { target, rows, missing, rms } = expected[file.split('-')[0]!]!
  const found = await runJson(
    'fit',
    join(folder, file),
    '--target',
    target,
    '--model',
    'linear',
    '--method',
    'ml',
  )
  expect([found.rows, found.dropped.missing]).toEqual([rows, missing])
  expect(found.params.scale / rms).toBeCloseTo(1, 6)
})
