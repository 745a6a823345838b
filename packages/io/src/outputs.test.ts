import { closeSync, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IoError } from './errors.js'
import { checkOutputs } from './outputs.js'
import { testFolder } from './testing/folder.js'

const folder = testFolder()
const at = (name: string): string => join(folder, name)
writeFileSync(at('in.csv'), 'x\n1\n')
mkdirSync(at('deep'))
symlinkSync('deep', at('short'))
linkSync(at('in.csv'), at('hard.csv'))
symlinkSync('in.csv', at('soft.csv'))
symlinkSync('deep/new.csv', at('ahead.csv'))

const outcome = (...args: Parameters<typeof checkOutputs>): unknown => {
  try {
    return checkOutputs(...args)
  } catch (error) {
    return error
  }
}

test.each([
  ['the input itself', 'in.csv'],
  ['another way to write it', 'deep/../in.csv'],
  ['a link to it', 'soft.csv'],
  ['another name of the same file', 'hard.csv'],
])('an output must not be an input: %s', (_, name) => {
  const error = outcome([at('in.csv')], { rows: at(name) })
  expect(error).toBeInstanceOf(IoError)
  expect(error).toMatchObject({ where: 'rows', rule: 'a file of its own is needed' })
  const path = JSON.stringify(at(name))
  expect((error as Error).message).toBe(
    `rows: a file of its own is needed, got ${path}; it would be overwritten`,
  )
})

test.each([
  ['one path', 'new.csv', 'new.csv'],
  ['a folder with two names', 'deep/new.csv', 'short/new.csv'],
  ['a link to a file that is not there yet', 'deep/new.csv', 'ahead.csv'],
  ['two names of one file', 'in.csv', 'hard.csv'],
])('two outputs must be two files: %s', (_, first, second) => {
  expect(outcome([], { first: at(first), second: at(second) })).toMatchObject({ where: 'second' })
})

test('open files are in use too, if they are files', () => {
  const [file, device] = [openSync(at('in.csv'), 'r'), openSync('/dev/null', 'r+')]
  expect(outcome([file], { rows: at('hard.csv') })).toMatchObject({ where: 'rows' })
  expect(outcome([device, 9999], { rows: '/dev/null', save: at('new.csv') })).toBeUndefined()
  closeSync(file)
  closeSync(device)
})

test('files of their own pass', () => {
  const outputs = { rows: at('new.csv'), save: undefined, report: at('deep/new.csv'), log: '/dev/null' }
  expect(outcome([at('in.csv'), 'https://example.org/x.csv'], outputs)).toBeUndefined()
})

test.each([
  ['none/x.csv', 'could not be written, got no such file or folder; check the folder'],
  ['in.csv/x.csv', 'could not be written, got a part of the path is not a folder; check the folder'],
  ['deep', 'a file to write is needed, got a folder; give a file name'],
])('a place that cannot be written to: %s', (name, message) => {
  expect(outcome([], { rows: at(name) })).toMatchObject({ message: `${at(name)}: ${message}` })
})
