import { experiments, experimentsOnData, networkExperiments as inPaper } from '@rlvi/paper'
import { expect, test } from 'vitest'
import { reproduceHelp } from './flags.js'
import { networkExperiments, onData, tableExperiments } from './names.js'

test('the names are those of the paper, in the help too', () => {
  expect([...tableExperiments].sort()).toEqual([...experiments].sort())
  expect([...networkExperiments].sort()).toEqual([...inPaper.keys()].sort())
  expect(onData).toEqual(experimentsOnData)
  const [, list = ''] = /^ {2}Experiments\n(.*?)\n\n/ms.exec(reproduceHelp) ?? []
  const words = list.replace('(not in the paper)', '').trim().split(/\s+/)
  expect(words).toEqual([...tableExperiments, ...networkExperiments])
})
