import { matrix, type Supervised } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'

/** Data of which exactly round(epsilon n) rows are bad: the truth is that share, and not a draw around it. */

export const ROWS = 500

/** y = 1 + x1 + 2 x2 - x3 + N(0, 1); a bad row is off the plane by +10 (shift) or by uniform(-10, 10) in place of noise. */
export function grossData(kind: 'shift' | 'uniform', epsilon: number, seed: number, run: number): Supervised {
  const random = draws(seed, `level-${kind}`, epsilon, run)
  const bad = Math.round(epsilon * ROWS)
  const x = matrix(ROWS, 3)
  const y = new Float64Array(ROWS)
  for (let i = 0; i < ROWS; i++) {
    const [a, b, c] = [random.normal(), random.normal(), random.normal()]
    x.values.set([a, b, c], 3 * i)
    const noise = random.normal()
    const off = i >= bad ? noise : kind === 'shift' ? 10 + noise : random.uniform(-10, 10)
    y[i] = 1 + a + 2 * b - c + off
  }
  return { x, y }
}

const FEATURES = 4

/** Size of the coefficients, such that the best classifier is right in 90 to 95 % of clean rows. */
const STRENGTH: Readonly<Record<number, number>> = { 2: 2, 3: 4.5, 10: 12 }

export interface Labelled extends Supervised {
  /** Share of clean rows that the true model's most probable class is right for. */
  readonly accuracy: number
}

/** Labels drawn from a softmax model with normal features and coefficients; a bad row has another label, any of them. */
export function labelData(classes: number, epsilon: number, seed: number, run: number): Labelled {
  const random = draws(seed, `level-labels-${classes}`, epsilon, run)
  const size = STRENGTH[classes] ?? 1
  const theta = Float64Array.from({ length: classes * FEATURES }, () => random.normal())
  normalise(theta, size * Math.sqrt(theta.length))
  const bad = Math.round(epsilon * ROWS)
  const x = matrix(ROWS, FEATURES)
  const y = new Float64Array(ROWS)
  let right = 0
  for (let i = 0; i < ROWS; i++) {
    for (let j = 0; j < FEATURES; j++) x.values[i * FEATURES + j] = random.normal()
    const row = x.values.subarray(i * FEATURES, (i + 1) * FEATURES)
    const eta = Array.from({ length: classes }, (_, k) =>
      row.reduce((sum, value, j) => sum + value * theta[k * FEATURES + j], 0),
    )
    const label = draw(eta, random)
    if (label === eta.indexOf(Math.max(...eta))) right++
    const other = Math.floor(random.uniform(0, classes - 1))
    y[i] = i >= bad ? label : (label + 1 + other) % classes
  }
  return { x, y, accuracy: right / ROWS }
}

/** Only differences between classes count: their size is made the same in every run. */
function normalise(values: Float64Array, length: number): void {
  const classes = values.length / FEATURES
  for (let j = 0; j < FEATURES; j++) {
    let sum = 0
    for (let k = 0; k < classes; k++) sum += values[k * FEATURES + j]
    for (let k = 0; k < classes; k++) values[k * FEATURES + j] -= sum / classes
  }
  const now = Math.hypot(...values)
  for (let j = 0; j < values.length; j++) values[j] *= length / now
}

/** A class by its probability exp(eta) / sum, as the largest of eta + Gumbel noise. */
function draw(eta: readonly number[], random: Draws): number {
  const noisy = eta.map((value) => value - Math.log(-Math.log(random.uniform(0, 1))))
  return noisy.indexOf(Math.max(...noisy))
}
