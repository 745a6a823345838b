import { describe, expect, it } from 'vitest'
import { pca } from '../../likelihoods/pca.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'

const ROWS = 200
const COLUMNS = 8

/** Rows along `directions` columns by turns, by long-tailed amounts, and a little of everything; the first `bad` are off in one column. */
function spectra(run: number, directions: number, bad = 0) {
  const random = draws('further component', run, directions)
  const x = matrix(ROWS, COLUMNS)
  for (let i = 0; i < ROWS; i++) {
    for (let k = 0; k < directions; k++) {
      const amount = -(3 - k) * Math.log(random.uniform(0, 1))
      for (let j = k; j < COLUMNS; j += 2) x.values[i * COLUMNS + j] += amount
    }
    for (let j = 0; j < COLUMNS; j++) x.values[i * COLUMNS + j] += 0.1 * random.normal()
    if (i < bad) x.values[i * COLUMNS + 3] += 4
  }
  return { x }
}

const told = (data: ReturnType<typeof spectra>, components: number) => {
  const { corruption, cautions = [] } = fit(pca({ components }), data)
  return {
    ...corruption,
    further: cautions.find(({ message }) => message.includes('one more component')),
  }
}

describe('rows with more components than are asked for', () => {
  // Before: clean rows were 4 to 10 % bad, with an interval that excluded 0, for being far out along the next component.
  it.each([1, 2, 3, 4])('are not certainly bad for that: set %i', (run) => {
    const { interval } = told(spectra(run, 2), 1)
    expect(interval![0]).toBe(0)
  })

  it('are certainly bad where the next component does not explain them', () => {
    const { level, interval, further } = told(spectra(5, 2, 20), 2)
    expect(further).toBeUndefined()
    expect(level).toBeCloseTo(20 / ROWS, 1)
    expect(interval![0]).toBeGreaterThan(0.05)
  })
})
