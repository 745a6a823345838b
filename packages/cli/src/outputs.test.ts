import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOutputs } from './outputs.js'
import { UsageError } from './terminal/usage.js'
import { testFolder } from './testing/run.js'

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
