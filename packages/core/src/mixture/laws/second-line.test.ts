import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { type Draws, draws } from '../../random/draws.js'

/** y = 1 + a + b and an error, but for a tenth of the rows, of which `bad` makes something else. */
function rows(
  seed: number,
  n: number,
  bad: (y: number, b: number, i: number) => number = (y) => y,
  error: (random: Draws) => number = (random) => random.normal(),
) {
  const random = draws('second line', seed)
  const x = matrix(n, 2)
  const y = Float64Array.from({ length: n }, (_, i) => {
    const [a, b] = [random.normal(), random.normal()]
    x.values.set([a, b], 2 * i)
    const good = 1 + a + b + error(random)
    return i < n / 10 ? bad(good, b, i) : good
  })
  return { x, y }
}

const told = (data: ReturnType<typeof rows>) => {
  const { corruption, cautions } = fit(linear(), data)
  return {
    interval: corruption.interval!,
    caution: cautions?.find(({ message }) => /another line/.test(message)),
  }
}

describe('rows that follow another line', () => {
  it.each([1, 2])(
    'a tenth of them: the interval holds their share, and a caution names the column (%i)',
    (seed) => {
      const { interval, caution } = told(rows(seed, 250, (y, b) => y - 5 * b))
      expect(caution).toMatchObject({ about: 'cluster', column: 1 })
      expect(interval[0]).toBeLessThanOrEqual(0.1)
      expect(interval[1]).toBeGreaterThanOrEqual(0.1)
    },
  )

  // Before, with a line that must be there for certain: 0 to 3 %, without a word.
  it('a line that may be there beside long tails of good rows is left open, and told', () => {
    const { interval, caution } = told(
      rows(
        8,
        200,
        (y, b) => y - 3 * b,
        (random) => random.studentT(5),
      ),
    )
    expect(caution).toMatchObject({ about: 'cluster', column: 1 })
    expect(interval[1]).toBeGreaterThanOrEqual(0.1)
  })

  it('are seen neither among good rows nor among bad ones that scatter', () => {
    expect(told(rows(4, 250)).caution).toBeUndefined()
    const { interval, caution } = told(rows(5, 250, (y, _, i) => y + (i % 2 ? 12 : -12)))
    expect(caution).toBeUndefined()
    expect(interval[1]).toBeLessThan(0.16)
  })
})
