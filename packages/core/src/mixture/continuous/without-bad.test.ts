import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'
import { withoutBadCaution } from './without-bad.js'

const random = draws('without-bad', 1)
const x = matrix(
  40,
  1,
  Float64Array.from({ length: 40 }, () => random.normal()),
)
const y = Float64Array.from(x.values, (value, i) => 2 * value + random.normal() + (i < 3 ? 30 : 0))
const found = fit(linear(), { x, y })

describe('the fit without bad rows', () => {
  it('is told where it lies more than a standard error elsewhere', () => {
    const error = found.standardErrors!.coefficients[0]
    const moved = (by: number) =>
      withoutBadCaution(linear(), { x, y }, found, (rest) => {
        expect(rest.y.length).toBe(37)
        const coefficients = found.params.coefficients.map((value) => value + by * error)
        return { ...found, params: { ...found.params, coefficients } }
      })
    expect(moved(0.9)).toBeUndefined()
    expect(moved(-1.5)?.message).toMatch(/^without the 3 rows that are surely bad .* by 1.5 standard errors/)
  })

  it('goes without a word where it is the same', () => {
    expect(found.cautions?.filter(({ message }) => message.includes('surely')) ?? []).toEqual([])
  })
})
