import { expect, test } from 'vitest'
import { RlviError } from '../../core/src/errors.js'
import { IoError } from './errors.js'
import { plainError, revivedError } from './thread-error.js'

const sent = (error: unknown): Error => revivedError(structuredClone(plainError(error)))

test.each([
  new RlviError('row 3', 'a number is needed', 'x', 'give one'),
  new IoError('a.csv', 'could not be read', 'no permission'),
  new TypeError('x is not a function'),
  new Error('plain'),
])('%s comes over with its class, message and stack', (error) => {
  const { name, message, stack } = error
  expect(sent(error)).toMatchObject({ name, message, stack })
  for (const type of [RlviError, TypeError]) expect(sent(error) instanceof type).toBe(error instanceof type)
  if (error instanceof RlviError) expect(sent(error)).toMatchObject({ where: error.where, rule: error.rule })
})

test('an RlviError by another name is one there too', () => {
  class OptionError extends RlviError {
    override readonly name = 'OptionError'
  }
  expect(sent(new OptionError('model', 'one is needed', 'none'))).toBeInstanceOf(RlviError)
})

test('what was thrown and is no error', () => {
  expect(sent('a text')).toEqual(new Error('a text'))
})
