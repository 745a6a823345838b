import { describe, it } from 'vitest'
import type { Tolerance } from '../testing/golden.js'
import { goldenBottleneck } from '../testing/golden-bottleneck.js'
import { goldenMethods } from '../testing/golden-methods.js'
import { goldenModels } from '../testing/golden-models.js'
import { goldenOps } from '../testing/golden-ops.js'
import type { Executor } from './executor.js'

/** What every executor must reproduce of torch's numbers. */
export function goldenLaws(executor: () => Executor, tolerance: Tolerance): void {
  describe('torch, single layers', () => {
    for (const [name, check] of goldenOps(executor, tolerance)) it(name, check)
  })
  describe('torch, whole networks', () => {
    for (const [name, check] of goldenModels(executor, tolerance)) it(name, check)
    it(...goldenBottleneck(executor, tolerance))
  })
  describe('torch, what the methods select', () => {
    for (const [name, check] of goldenMethods(executor, tolerance)) it(name, check)
  })
}
