import * as vision from '@rlvi/vision'
import { expect, test } from 'vitest'
import { assumingMethods, methodNames, networkNames, noiseTypes } from './names.js'

test('the names are those of vision', () => {
  expect(networkNames).toEqual(vision.networkNames)
  expect(methodNames).toEqual(vision.methodNames)
  expect(assumingMethods).toEqual(vision.methodsWithAssumedLevel)
  expect(noiseTypes).toEqual(vision.noiseTypes)
})
