import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { folderBeside } from '@rlvi/io'
import { expect, test } from 'vitest'
import { testFolder } from '../testing.js'
import { repair, stage } from './staging.js'

const folder = testFolder()
/** As a process of another number left it. */
const left = (target: string): string =>
  join(dirname(target), basename(folderBeside(target)).replace(`-${process.pid}-`, `-${2 ** 22 + 1}-`))

test('a folder that was set aside when the process was killed gets its name back', async () => {
  const target = join(folder, 'one', 'set')
  const part = left(target)
  mkdirSync(join(part, 'old'), { recursive: true })
  mkdirSync(join(part, 'out'), { recursive: true })
  writeFileSync(join(part, 'old', 'data'), 'what was there')
  await repair(dirname(target))
  expect(readFileSync(join(target, 'data'), 'utf8')).toBe('what was there')
  expect(readdirSync(dirname(target))).toEqual(['set'])
})

test('the next fetch removes what a killed one left, at once, and nothing of one at work', async () => {
  const target = join(folder, 'two', 'set')
  const [dead, alive] = [left(target), folderBeside(target).replace(`-${process.pid}-`, `-${process.ppid}-`)]
  for (const part of [dead, alive]) mkdirSync(join(part, 'out'), { recursive: true })
  await stage(target, async ({ out }) => writeFileSync(join(out, 'data'), 'new'))
  expect(existsSync(dead)).toBe(false)
  expect(existsSync(alive)).toBe(true)
  expect(readFileSync(join(target, 'data'), 'utf8')).toBe('new')
})
