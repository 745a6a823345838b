import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { IoError } from './errors.js'
import { systemError, unreadable } from './system-error.js'

const failure = (code: string): Error => Object.assign(new Error(`${code}: as the system says`), { code })

test('common codes have words, others the message of the system', () => {
  expect(systemError(failure('ENOSPC'))).toBe('the disk is full')
  expect(systemError(failure('ENOTEMPTY'))).toBe('a folder that is not empty')
  expect(systemError(failure('ENOPROTOOPT'))).toBe('ENOPROTOOPT: as the system says')
  expect(systemError('a text')).toBe('a text')
  expect(systemError(undefined)).toBe('undefined')
})

test('words are not said twice', () => {
  const told = new IoError('a.csv', 'could not be written', 'the disk is full')
  expect(systemError(told)).toBe('the disk is full')
  expect(unreadable('b.csv', told)).toBe(told)
  expect(unreadable('b.csv', failure('EACCES')).message).toBe(
    'b.csv: could not be read, got no permission; check the path',
  )
})

test('every code that has words is one of the system', () => {
  // A misspelt code would never be met.
  const codes = ['EACCES', 'EBUSY', 'EDQUOT', 'EEXIST', 'EFBIG', 'EIO', 'EISDIR', 'ELOOP', 'EMFILE']
  codes.push('ENAMETOOLONG', 'ENFILE', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'ENOTEMPTY', 'EPERM', 'EPIPE', 'EROFS')
  codes.push('ETIMEDOUT', 'ETXTBSY', 'EXDEV')
  for (const code of codes) {
    expect(constants.errno).toHaveProperty(code)
    expect(systemError(failure(code))).not.toContain(code)
  }
})

test('what a library makes of a full disk is the same', () => {
  expect(systemError(new Error('IO Error: Could not write file "x": No space left on device'))).toBe(
    'the disk is full',
  )
})
