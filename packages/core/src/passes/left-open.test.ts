import { expect, it } from 'vitest'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { matrix } from '../matrix.js'
import { TestRandom } from '../testing/random.js'
import { memoryBlocks } from './blocks.js'
import { calibratedByPasses } from './calibrated.js'
import { inBlocks } from './in-blocks.js'
import { type PassModel, passModels } from './models.js'

const N = 480
/** So many of the first rows are the sample; one row in twenty is bad. */
const SAMPLE = 160
const BAD = 20

/** Rows of two columns and a response, each drawn by its random numbers and whether it is bad. */
function table(row: (random: TestRandom, bad: boolean) => readonly [number, number, number]): Supervised {
  const random = new TestRandom(3)
  const x = matrix(N, 2)
  const y = new Float64Array(N)
  for (let i = 0; i < N; i++) {
    const [a, b, response] = row(random, i % BAD === 0)
    x.values.set([a, b], 2 * i)
    y[i] = response
  }
  return { x, y }
}

const scattered = table((random, bad) => {
  const [a, kind] = [random.normal(), random.below(2)]
  return [a, kind, a + (kind === 0 ? 1 : 4) * random.normal() + (bad ? 40 : 0)]
})
const bent = table((random, bad) => {
  const [a, b] = [random.normal(), random.normal()]
  return [a, b, a + b + 0.7 * a * a + random.normal() + (bad ? 20 : 0)]
})
const skewed = table((random, bad) => {
  const far = bad ? 40 : 0
  return [Math.exp(random.normal()) + far, Math.exp(random.normal()) - far, 0]
})

// The cautions of all rows are those of the sample, which has room for a search: what it leaves open, they leave open.
it.each([
  ['scatter along a column', passModels.linear(), scattered, 'rows scatter more in some places of column 1'],
  ['a curve', passModels.linear(), bent, 'bend against column 0'],
  ['skewed columns', passModels.covariance(), skewed, 'within memory they would be put on curves'],
] as const)(
  '%s is told by passes too, and the interval holds the share of bad rows',
  async (_, kind, data, words) => {
    const model = kind as unknown as PassModel<Params>
    const sample = { x: matrix(SAMPLE, 2, data.x.values.slice(0, 2 * SAMPLE)), y: data.y.slice(0, SAMPLE) }
    const { corruption, cautions } = await calibratedByPasses(
      model,
      inBlocks(model, memoryBlocks(model, data)),
      sample,
    )
    expect(cautions?.map(({ message }) => message).join('\n')).toContain(words)
    expect(corruption.interval![0]).toBeLessThanOrEqual(1 / BAD)
    expect(corruption.interval![1]).toBeGreaterThanOrEqual(1 / BAD)
  },
)
