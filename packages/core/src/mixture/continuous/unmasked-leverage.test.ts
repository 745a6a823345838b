import { expect, test } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix, takeRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'

// `road` of R's package MASS (Venables and Ripley 2002): deaths by drivers, population density, rural roads, temperature and
// fuel in 26 states. Maine's deaths are a thousand too many; California's fuel is a fraction of what its drivers would need.
const road = [
  [968, 158, 64, 66, 62, 119],
  [43, 11, 0.4, 5.9, 30, 6.2],
  [588, 91, 12, 33, 64, 65],
  [640, 92, 34, 73, 51, 74],
  [4743, 952, 100, 118, 65, 105],
  [566, 109, 17, 73, 42, 78],
  [325, 167, 518, 5.1, 37, 95],
  [118, 30, 226, 3.4, 41, 20],
  [115, 35, 12524, 0, 44, 23],
  [1545, 298, 91, 57, 67, 216],
  [1302, 203, 68, 83, 54, 162],
  [262, 41, 8.1, 40, 36, 29],
  [2207, 544, 180, 102, 33, 350],
  [1410, 254, 129, 89, 37, 196],
  [833, 150, 49, 100, 30, 109],
  [669, 136, 27, 124, 42, 94],
  [911, 147, 76, 65, 44, 104],
  [1037, 146, 72, 40, 65, 109],
  [1196, 46, 31, 19, 30, 37],
  [616, 157, 314, 29, 44, 113],
  [766, 255, 655, 17, 37, 166],
  [2120, 403, 137, 95, 33, 306],
  [841, 189, 43, 110, 22, 132],
  [648, 85, 46, 59, 57, 77],
  [1289, 234, 63, 100, 40, 180],
  [259, 38, 4.6, 72, 29, 31],
]
const x = matrix(26, 5, Float64Array.from(road.flatMap((row) => row.slice(1))))
const y = Float64Array.from(road, (row) => row[0]!)

test('a leverage point that another bad row hides is found, and told', () => {
  const { clean, params, standardErrors, cautions } = fit(linear(), { x, y })
  expect(Array.from(clean.keys()).filter((i) => clean[i]! < 0.5)).toEqual([4, 18])
  expect(cautions!.find(({ about }) => about === 'leverage')!.message).toMatch(/^1 row that lies far out/)
  // The law: without the rows that are bad for certain nothing changes. It did, by 31 standard errors.
  const rest = Array.from({ length: 26 }, (_, i) => i).filter((i) => clean[i]! >= 0.01)
  const again = fit(linear(), { x: takeRows(x, rest), y: Float64Array.from(rest, (i) => y[i]!) })
  again.params.coefficients.forEach((value, j) => {
    const error = standardErrors!.coefficients[j]!
    expect(Math.abs(value - params.coefficients[j]!)).toBeLessThan(0.5 * error)
  })
})
