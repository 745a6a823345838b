import * as core from 'rlvi'
import { expect, it } from 'vitest'
import * as main from './index.js'
import * as layers from './layers.js'
import * as methods from './methods.js'
import * as ops from './ops.js'
import * as optim from './optim.js'

it('has no name of the core in the main entry, so that both can be imported side by side', () => {
  const taken = new Set(Object.keys(core))
  expect(Object.keys(main).filter((name) => taken.has(name))).toEqual([])
})

it('exports every name from one entry only', () => {
  const names = [main, layers, methods, ops, optim].flatMap((entry) => Object.keys(entry))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
