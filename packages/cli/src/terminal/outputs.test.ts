import { spawnSync } from 'node:child_process'
import { linkSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testFolder } from '../testing/run.js'
import { checkOutputs } from './outputs.js'
import { UsageError } from './usage.js'

const folder = testFolder()
const input = folder.csv('in.csv', [['x'], [1]])

test('an output that is an input by another name is refused by its flag', () => {
  const hard = join(folder.path, 'hard.csv')
  linkSync(input, hard)
  const check = (): void => checkOutputs([input], { '--save': undefined, '--rows': hard })
  expect(check).toThrow(UsageError)
  expect(check).toThrow(/^--rows: a file of its own is needed, got ".*hard\.csv"; it would be overwritten$/)
})

test('a folder that is not there is no wrong command line', () => {
  const nowhere = join(folder.path, 'no', 'rows.csv')
  const check = (): void => checkOutputs([input], { '--rows': nowhere })
  expect(check).not.toThrow(UsageError)
  expect(check).toThrow(`${nowhere}: could not be written, got no such file or folder; check the folder`)
})

test('the file that stdout goes to is taken', () => {
  const out = folder.file('out.csv', 'kept')
  const bin = fileURLToPath(new URL('../../bin/rlvi.js', import.meta.url))
  const argv = [bin, 'fit', input, '--target', 'x', '--rows', out]
  const { status, stderr } = spawnSync(process.execPath, argv, {
    stdio: ['ignore', openSync(out, 'a'), 'pipe'],
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^--rows: a file of its own is needed, got ".*out\.csv"; it would be overwritten\n$/)
  expect(status).toBe(2)
  expect(readFileSync(out, 'utf8')).toBe('kept')
})
