import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'

/** y = 5 + a - b and a skewed error; a feature of long tails, or one that is ten times too large in the first `bad` rows. */
function rows(n: number, bad: number, feature: 'normal' | 'long') {
  const random = draws('far slope', n, bad, feature)
  const x = matrix(n, 2)
  const y = Float64Array.from({ length: n }, (_, i) => {
    const [a, b] = [feature === 'long' ? random.studentT(2) : random.normal(), random.normal()]
    x.values.set([i < bad ? 10 * a : a, b], 2 * i)
    return 5 + a - b + random.chiSquared(6) / 2 - 3
  })
  return { x, y }
}

const told = (data: ReturnType<typeof rows>) =>
  fit(linear(), data).cautions?.find(
    ({ about, message }) => about === 'leverage' && /slope|apart/.test(message),
  )

describe('rows far out in a column', () => {
  // Before: a slope of .17 where 1 is true, and no word of these rows.
  it('that the fit follows while the others tell another slope are told, with the column', () => {
    expect(told(rows(3000, 300, 'normal'))).toMatchObject({ column: 0 })
  })

  it('that tell the same slope are not', () => {
    expect(told(rows(400, 0, 'long'))).toBeUndefined()
  })
})
