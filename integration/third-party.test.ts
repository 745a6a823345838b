import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('the licences of what is installed are listed', () => {
  const script = fileURLToPath(new URL('../scripts/third-party.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
