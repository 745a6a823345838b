import { type Supervised, sharedMatrix } from 'rlvi'
import { draws } from 'rlvi/random'

export const COLUMNS = 20

/**
 * y = 3 + sum of x + N(0, .25^2), a fifth of the responses bad. Drawn in place, in shared memory: the data are the only large
 * thing there.
 */
export function linearData(rows: number, seed: number): Supervised {
  const random = draws('linear-data', rows, seed)
  const x = sharedMatrix(rows, COLUMNS)
  const y = sharedMatrix(rows, 1).values
  for (let i = 0, at = 0; i < rows; i++) {
    let sum = 3
    for (let j = 0; j < COLUMNS; j++, at++) {
      x.values[at] = random.uniform(-5, 5)
      sum += x.values[at]
    }
    y[i] = sum + (random.uniform(0, 1) < 0.2 ? random.studentT(2.5) : 0.25 * random.normal())
  }
  return { x, y }
}
