import { expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { logDeterminantBeside } from './beside-prior.js'

const diagonal = (...values: number[]) =>
  matrix(
    values.length,
    values.length,
    Float64Array.from({ length: values.length ** 2 }, (_, k) =>
      k % (values.length + 1) === 0 ? values[k / (values.length + 1)] : 0,
    ),
  )

it('is log det where rows add to the prior in every direction', () => {
  const information = matrix(2, 2, Float64Array.of(5, 1, 1, 3))
  expectClose(logDeterminantBeside(information, diagonal(1, 1)), Math.log(14), 1e-12)
})

it('takes a direction in which rows add nothing, or less, for the prior alone', () => {
  expectClose(logDeterminantBeside(diagonal(8, 2), diagonal(2, 2)), Math.log(16), 1e-6)
  expectClose(logDeterminantBeside(diagonal(8, 1e-9), diagonal(2, 2)), Math.log(16), 1e-9)
  expectClose(logDeterminantBeside(diagonal(8, -5), diagonal(2, 2)), Math.log(16), 1e-9)
  // Directions are those of the prior's own metric, whatever the units: [1, 1] and [1, -1] here.
  const turned = matrix(2, 2, Float64Array.of(1 + 4, -1 + 4, -1 + 4, 1 + 4))
  expectClose(logDeterminantBeside(turned, diagonal(4, 4)), Math.log(8 * 4), 1e-9)
})

it('moves continuously through where the information is no maximum’s', () => {
  const at = (low: number): number => logDeterminantBeside(diagonal(8, 2 + low), diagonal(2, 2))
  expect(Math.abs(at(1e-5) - at(-1e-5))).toBeLessThan(1e-5)
  expect(at(1)).toBeGreaterThan(at(0))
})
