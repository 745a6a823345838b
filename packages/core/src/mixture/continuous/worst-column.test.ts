import { describe, expect, it } from 'vitest'
import { covariance } from '../../likelihoods/covariance.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'

/** Four columns of Student's t, of which the third is ten times too large, and five more, in the first `bad` rows. */
function cloud(name: string, bad: number) {
  const random = draws('worst column', name)
  const x = matrix(400, 4)
  for (let i = 0; i < x.rows; i++) {
    const scale = Math.sqrt(5 / random.chiSquared(5))
    for (let j = 0; j < x.cols; j++) x.values[i * x.cols + j] = scale * random.normal()
    if (i < bad) x.values[i * x.cols + 2] = 10 * x.values[i * x.cols + 2] + 5
  }
  return { x }
}

const told = (data: ReturnType<typeof cloud>) => {
  const { corruption, cautions } = fit(covariance(), data)
  return {
    interval: corruption.interval!,
    caution: cautions?.find(({ message }) => /by itself/.test(message)),
  }
}

describe('rows that are wrong in one column', () => {
  // Before: 0 % bad, at most .6 %, and no word.
  it('are not explained by long tails of all columns: the interval reaches what the column says, and a caution names it', () => {
    const { interval, caution } = told(cloud('bad', 80))
    expect(caution).toMatchObject({ about: 'law', column: 2 })
    expect(interval[1]).toBeGreaterThan(0.15)
  })

  it('clean columns with long tails are not suspected', () => {
    const { interval, caution } = told(cloud('clean', 0))
    expect(caution).toBeUndefined()
    expect(interval[0]).toBe(0)
    expect(interval[1]).toBeLessThan(0.05)
  })
})
