import { RlviError } from 'rlvi'
import { expect, it } from 'vitest'
import { trainFlags } from '../train/flags.js'
import { inFlags } from './arguments.js'

const inTrain = (error: RlviError, ...given: string[]): string => inFlags(error, trainFlags, given)

it("turns a library's arguments into the command's flags, and leaves all else as it is", () => {
  const error = new RlviError('network', 'a larger image is needed', 'x', 'give `size`, not `gait`')
  expect(inTrain(error)).toBe('--network: a larger image is needed, got "x"; give --size, not `gait`')
  expect(inTrain(new RlviError('assumed', 'rule', 'x'))).toBe('--assume: rule, got "x"')
  expect(inTrain(new RlviError('a.csv', 'rule', 'x'))).toBe('a.csv: rule, got "x"')
})

it('speaks of no flag that the command does not have, and leaves a file its name', () => {
  expect(inTrain(new RlviError('data', 'rule', 'x', 'leave `table` out'))).toBe(
    'data: rule, got "x"; leave `table` out',
  )
  expect(inTrain(new RlviError('size', 'rule', 'x'), 'size')).toBe('size: rule, got "x"')
})
