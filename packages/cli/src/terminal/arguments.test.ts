import { RlviError } from 'rlvi'
import { expect, it } from 'vitest'
import { messageOf } from './arguments.js'

it('turns the arguments of a library into flags, and leaves all else as it is', () => {
  const error = new RlviError('network', 'a larger image is needed', 'x', 'give `size`, not `gait`')
  expect(messageOf(error)).toBe('--network: a larger image is needed, got "x"; give --size, not `gait`')
  expect(messageOf(new RlviError('a.csv', 'rule', 'x'))).toBe('a.csv: rule, got "x"')
  expect(messageOf(new Error('network: down'))).toBe('network: down')
  expect(messageOf('words')).toBe('words')
})
