import { dataSets } from '@rlvi/vision'
import { expect, test } from 'vitest'
import { dataHelp } from './flags.js'
import { dataSetNames } from './options.js'

test('the names are those of vision, in the help too', () => {
  expect(dataSetNames).toEqual(dataSets.map(({ name }) => name))
  const [, line = ''] = /^ {2}Names\n(.*)$/m.exec(dataHelp) ?? []
  expect(line.trim().split(/ +/)).toEqual(dataSetNames)
})
