import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { TestRandom } from '../../testing/random.js'

/** Rows along y = x, and two far out in x that lie `off` below it. */
function withPair(off: number) {
  const random = new TestRandom(4)
  const near = Array.from({ length: 14 }, () => random.normal())
  const x = [...near, 15, 16]
  const y = x.map((value, i) => value + 0.5 * random.normal() - (i < near.length ? 0 : off))
  return { data: { x: fromRows(x.map((value) => [value])), y: Float64Array.from(y) }, share: 2 / x.length }
}

describe('two rows far out that the slope rests on', () => {
  const judged = Array.from({ length: 13 }, (_, off) => {
    const { data, share } = withPair(off)
    const { clean, corruption, cautions = [] } = fit(linear(), data)
    const told = cautions.some(
      ({ about, message }) => about === 'leverage' && message.includes('rest on 2 rows'),
    )
    const bad = clean.slice(-2).every((good) => good < 0.5)
    return {
      share,
      told,
      bad,
      high: corruption.interval![1],
      state: bad ? 'bad' : told ? 'in doubt' : 'good',
    }
  })

  it('are good where the others agree with them, then in doubt, then bad', () => {
    const states = judged.map(({ state }) => state)
    expect(states.filter((state, k) => state !== states[k - 1])).toEqual(['good', 'in doubt', 'bad'])
  })

  it('widen the interval to hold their share where they are in doubt', () => {
    for (const { told, high, share } of judged) if (told) expect(high).toBeGreaterThan(share)
  })
})
