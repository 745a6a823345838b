import { describe, expect, it } from 'vitest'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { matrix } from '../matrix.js'
import { type PaperOptions, paper } from '../methods/paper.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { memoryBlocks } from './blocks.js'
import { inBlocks } from './in-blocks.js'
import { type PassModel, passModels } from './models.js'
import { paperByPasses } from './paper.js'
import { weigh } from './weigh.js'

/** Rows of which some are bad, with offsets far from 0, so that lost digits would show. */
function rowsFor(name: string, seed: number, n = 700): Supervised {
  const random = new TestRandom(seed)
  const d = 3
  const x = matrix(n, d)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const bad = i % 7 === 3
    for (let j = 0; j < d; j++) x.values[i * d + j] = random.normal() * (j + 1) + (j === 1 ? 20 : 0)
    if (bad && ['mean', 'covariance', 'pca'].includes(name)) x.values[i * d] += 9
    const eta = x.values[i * d] - 0.5 * (x.values[i * d + 1] - 20)
    if (name === 'linear') y[i] = 3 + eta + (bad ? 8 * random.normal() : 0.3 * random.normal())
    else if (name === 'poisson')
      y[i] = bad ? 12 : Math.round(Math.exp(0.3 * eta + 0.5 + 0.2 * random.normal()))
    else y[i] = eta + random.normal() + (bad ? 4 * random.normal() : 0) > 0 ? 1 : 0
    if (name === 'softmax' && x.values[i * d + 2] > 2) y[i] = 2
  }
  return { x, y }
}

interface Case<P extends Params> {
  readonly model: PassModel<P>
  readonly options?: PaperOptions<P>
}

const cases = (): Record<string, Case<never>> => ({
  linear: { model: passModels.linear() as never },
  'linear without intercept': { model: passModels.linear({ intercept: false }) as never },
  logistic: { model: passModels.logistic({ ridge: 0.01 }) as never },
  'logistic without ridge': { model: passModels.logistic() as never },
  softmax: { model: passModels.softmax({ classes: 3, ridge: 0.01 }) as never },
  poisson: { model: passModels.poisson() as never },
  mean: { model: passModels.mean() as never },
  covariance: { model: passModels.covariance() as never, options: { goodRows: 500 } },
  pca: { model: passModels.pca({ components: 1 }) as never },
  'linear, exact E-step': { model: passModels.linear() as never, options: { eStep: 'exact' } },
})

describe('paper by passes is paper', () => {
  it.each(Object.keys(cases()))('%s: parameters, level and bound to 1e-8', async (name) => {
    const { model, options = {} } = cases()[name]
    for (const seed of [1, 2]) {
      const data = rowsFor(model.name, seed)
      const inMemory = paper(model.likelihood, data, options)
      const passes = await paperByPasses(model, inBlocks(model, memoryBlocks(model, data, 100)), options)
      const { vector } = model.likelihood
      expect(passes.iterations).toBe(inMemory.iterations)
      expect(passes.status).toEqual(inMemory.status)
      const size = Math.hypot(...vector(inMemory.params))
      expectClose(vector(passes.params), vector(inMemory.params), 1e-8, 1e-8 * size)
      if (inMemory.corruption.level !== undefined)
        expectClose(passes.corruption.level!, inMemory.corruption.level, 1e-8)
      expect(passes.corruption.source).toBe(inMemory.corruption.source)
      inMemory.trace.forEach((step, k) => {
        expectClose(passes.trace[k].bound, step.bound, 1e-8, 1e-8)
        expectClose(passes.trace[k].level, step.level, 1e-8, 1e-12)
      })
      expectClose(weigh(model, data, passes.clean), inMemory.clean, 1e-6, 1e-8)
    }
  })
})

it('a source with fewer rows than it said is an error, not an answer', async () => {
  const model = passModels.linear()
  const blocks = memoryBlocks(model, rowsFor('linear', 1))
  const short = inBlocks(model, { ...blocks, rows: blocks.rows + 1 })
  await expect(paperByPasses(model, short)).rejects.toThrow('all 701 rows are needed, got 700 rows')
})
