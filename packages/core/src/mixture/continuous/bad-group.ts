import type { Matrix } from '../../matrix.js'
import type { Caution } from '../../result.js'

/** Fewer bad rows, or a smaller share of all, are no group. */
const FEWEST = 8
const LEAST = 0.02
/** A group is so many times as far from the others as it is wide, in the direction that it lies in. */
const APART = 3

/** What is to be told where most bad rows of some columns lie together: two groups of good rows look the same. */
export function badGroup({ rows, cols, values }: Matrix, clean: Float64Array): Caution | undefined {
  const count = clean.reduce((sum, p) => sum + (p < 0.5 ? 1 : 0), 0)
  if (count < Math.max(FEWEST, LEAST * rows)) return undefined
  const means = { bad: new Float64Array(cols), good: new Float64Array(cols) }
  const squares = new Float64Array(cols)
  for (let i = 0; i < rows; i++) {
    const bad = clean[i] < 0.5
    for (let j = 0; j < cols; j++) {
      const value = values[i * cols + j]
      means[bad ? 'bad' : 'good'][j] += value / (bad ? count : rows - count)
    }
  }
  for (let i = 0; i < rows; i++)
    if (clean[i] >= 0.5)
      for (let j = 0; j < cols; j++)
        squares[j] += (values[i * cols + j] - means.good[j]) ** 2 / (rows - count)
  // In standard deviations of the good rows' columns, whatever their units.
  const towards = squares.map((square, j) => (means.bad[j] - means.good[j]) / (square > 0 ? square : 1))
  const along = (i: number): number =>
    towards.reduce((sum, t, j) => sum + t * (values[i * cols + j] - means.good[j]), 0)
  const of = { bad: [0, 0], good: [0, 0] }
  for (let i = 0; i < rows; i++) {
    const place = along(i)
    const own = of[clean[i] < 0.5 ? 'bad' : 'good']
    own[0] += place
    own[1] += place * place
  }
  const middle = of.bad[0] / count
  const width = Math.sqrt(Math.max(of.bad[1] / count - middle ** 2, 0))
  if (!(middle > APART * width)) return undefined
  const scale = Math.sqrt(of.good[1] / (rows - count))
  const message = `most bad rows lie together, about ${(middle / scale).toFixed(1)} scales from the others: they may be a group of their own rather than errors`
  return { about: 'cluster', message }
}
