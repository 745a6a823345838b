import { describe, expect, it } from 'vitest'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { matrix } from '../matrix.js'
import { fit } from '../methods/fit.js'
import { thinnedRows } from '../mixture/shared/thinned.js'
import { TestRandom } from '../testing/random.js'
import { memoryBlocks } from './blocks.js'
import { calibratedByPasses } from './calibrated.js'
import { inBlocks } from './in-blocks.js'
import { type PassModel, passModels } from './models.js'

type Kind = 'clean' | 'bad' | 'tails' | 'growing'

function table(name: string, kind: Kind, n: number): Supervised {
  const random = new TestRandom(7)
  const d = 3
  const x = matrix(n, d)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const bad = kind !== 'clean' && i % 10 === 3
    const along = name === 'pca' ? 4 * random.normal() : 0
    for (let j = 0; j < d; j++)
      x.values[i * d + j] = random.normal() + (name === 'pca' ? along : j === 2 ? 0.8 * x.values[i * d] : 0)
    if (bad && !['linear', 'logistic', 'softmax', 'poisson'].includes(name))
      for (let j = 0; j < d; j++) x.values[i * d + j] += 15 * random.normal()
    const eta = x.values[i * d] - 0.5 * x.values[i * d + 1]
    if (name === 'linear') {
      const far =
        kind === 'tails'
          ? random.normal() /
            Math.sqrt(
              (random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2) / 4,
            )
          : random.normal()
      const scale = kind === 'growing' ? 0.3 * Math.exp(0.4 * eta) : 0.3
      y[i] = 2 + eta + (bad ? 6 * random.normal() : scale * far)
    } else if (name === 'softmax') {
      const scores = [0, 2 * eta, 2 * x.values[i * d + 2]].map(
        (s) => s - Math.log(-Math.log(random.uniform())),
      )
      y[i] = bad ? random.below(3) : scores.indexOf(Math.max(...scores))
    } else y[i] = 2 * eta > -Math.log(1 / random.uniform() - 1) !== (bad && random.below(2) === 0) ? 1 : 0
  }
  return { x, y }
}

const models: Record<string, PassModel<never>> = {
  linear: passModels.linear() as never,
  mean: passModels.mean() as never,
  covariance: passModels.covariance() as never,
  pca: passModels.pca({ components: 1 }) as never,
  logistic: passModels.logistic({ ridge: 0.01 }) as never,
  softmax: passModels.softmax({ classes: 3, ridge: 0.01 }) as never,
}

const N = 12_000

/** The same rows by passes, with a sample of a third of them. */
async function byPasses<P extends Params>(model: PassModel<P>, data: Supervised) {
  const rows = thinnedRows(data.x.rows, data.x.rows / 3)
  const sample = { x: matrix(rows.length, data.x.cols), y: new Float64Array(rows.length) }
  rows.forEach((row, i) => {
    sample.x.values.set(data.x.values.subarray(row * data.x.cols, (row + 1) * data.x.cols), i * data.x.cols)
    sample.y[i] = data.y[row]
  })
  return await calibratedByPasses(model, inBlocks(model, memoryBlocks(model, data)), sample)
}

describe('calibrated by passes', () => {
  it.each([
    ['linear', 'clean'],
    ['linear', 'bad'],
    ['linear', 'tails'],
    ['linear', 'growing'],
    ['mean', 'bad'],
    ['covariance', 'bad'],
    ['pca', 'bad'],
    ['logistic', 'clean'],
    ['logistic', 'bad'],
    ['softmax', 'bad'],
  ] as const)(
    '%s of %s rows is what fit says, within a quarter of the standard errors',
    async (name, kind) => {
      const model = models[name] as unknown as PassModel<Params>
      const data = table(name, kind, N)
      const own = model.by === 'moments' && name !== 'linear' ? { x: data.x } : data
      const inMemory = fit(model.likelihood as never, own as never) as ReturnType<typeof fit>
      const passes = await byPasses(model, data)
      expect(passes.status.kind).toBe('converged')
      expect(passes.errors?.name).toBe(inMemory.errors?.name)
      const wanted = model.likelihood.vector(inMemory.params as Params)
      const got = model.likelihood.vector(passes.params)
      const size = Math.hypot(...wanted)
      const errors = inMemory.covariance
      wanted.forEach((value, j) => {
        const error =
          errors === undefined ? size / Math.sqrt(N) : Math.sqrt(errors.values[j * (errors.cols + 1)])
        expect(Math.abs(got[j] - value)).toBeLessThan(0.25 * error)
        if (errors !== undefined) {
          const own = Math.sqrt(passes.covariance!.values[j * (errors.cols + 1)])
          expect(own / error).toBeGreaterThan(0.97)
          expect(own / error).toBeLessThan(1.03)
        }
      })
      const [low, high] = inMemory.corruption.interval!
      const wide = high - low
      expect(Math.abs(passes.corruption.level! - inMemory.corruption.level!)).toBeLessThan(0.1 * wide + 1e-9)
      // Which laws are in doubt depends on where shells are cut; each interval holds the other's level.
      expect(low).toBeLessThanOrEqual(passes.corruption.level!)
      expect(high).toBeGreaterThanOrEqual(passes.corruption.level!)
      expect(passes.corruption.interval![0]).toBeLessThanOrEqual(inMemory.corruption.level!)
      expect(passes.corruption.interval![1]).toBeGreaterThanOrEqual(inMemory.corruption.level!)
    },
  )
})
