import { describe, expect, it } from 'vitest'
import { linear } from '../likelihoods/linear.js'
import { matrix } from '../matrix.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'

/** A line in two features, with errors between bounds or normal; the first `bad` rows lie 10 off. */
function line(seed: number, rows: number, errors: 'bounded' | 'normal', bad = 0) {
  const random = new TestRandom(seed)
  const x = matrix(rows, 2)
  const y = Float64Array.from({ length: rows }, (_, i) => {
    for (let j = 0; j < 2; j++) x.values[2 * i + j] = random.normal()
    const error = errors === 'bounded' ? 2 * random.uniform() - 1 : random.normal()
    return x.values[2 * i] - x.values[2 * i + 1] + error + (i < bad ? 10 : 0)
  })
  return { x, y }
}

describe('errors within bounds', () => {
  it.each([1, 2, 3])(
    'clean set %i: no row is bad, where a normal law would make a cluster of one side',
    (seed) => {
      const { corruption, errors } = fit(linear(), line(seed, 250, 'bounded'))
      expect(corruption.level).toBeLessThan(0.01)
      expect(corruption.interval![0]).toBe(0)
      expect(errors!.name).toBe('light')
    },
  )

  it('bad rows among them are counted, and the scale is that of the good ones', () => {
    const { corruption, errors, params, clean } = fit(linear(), line(4, 250, 'bounded', 25))
    expect(corruption.level).toBeCloseTo(0.1, 6)
    expect(errors!.name).toBe('light')
    // That of a uniform law, 2 wide.
    expect(Math.abs(params.scale - Math.sqrt(1 / 3))).toBeLessThan(0.05)
    expect(clean.slice(0, 25).every((p) => p < 0.01)).toBe(true)
  })

  it('normal errors are not taken for such', () => {
    for (const seed of [5, 6, 7, 8])
      expect(fit(linear(), line(seed, 150, 'normal')).errors!.name).not.toBe('light')
  })

  it('can be told', () => {
    const { errors } = fit(linear(), line(9, 100, 'normal'), { errors: 'light' })
    expect(errors!.name).toBe('light')
  })
})
