import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../testing/folder.js'
import { script } from '../testing/process.js'
import { temporaryFolder } from './temporary-folder.js'

const root = testFolder()

/** Puts a file aside, says where, and waits. */
const aside = `import { writeFileSync } from 'node:fs'
  import { temporaryFolder } from '@rlvi/io'
  const folder = temporaryFolder()
  writeFileSync(folder + '/rows', 'many')
  console.log('there')
  await new Promise((resolve) => setTimeout(resolve, 1e6))`

test('what a killed process put aside is removed by the next one, and what a live one did is not', async () => {
  vi.stubEnv('TMPDIR', root)
  const [killed, live] = [script(aside, []), script(aside, [])]
  await Promise.all([killed.says('there'), live.says('there')])
  expect(readdirSync(root)).toHaveLength(2)
  killed.kill('SIGKILL')
  await killed.end
  const own = temporaryFolder()
  const names = readdirSync(root)
  expect(names).toHaveLength(2)
  expect(names).toContain(basename(own))
  const others = names.find((name) => name !== basename(own))!
  expect(readdirSync(join(root, others))).toEqual(['rows'])
  live.kill('SIGKILL')
  await live.end
  // Its own first one is no leftover.
  const second = temporaryFolder()
  expect(readdirSync(root).sort()).toEqual([basename(own), basename(second)].sort())
})
