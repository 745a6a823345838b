import { matrix, type Supervised } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'

/** Counts of a known law, of which exactly round(share n) are ten times too large. */

export interface CountSetting {
  /** The variance of a count of mean m is m + dispersion m^2; 0 is Poisson's law. */
  readonly dispersion: number
  readonly mean: number
  readonly rows: number
  readonly features: number
}

export interface CountRows extends Supervised {
  readonly coefficients: Float64Array
}

/** The means' logarithms scatter with this standard deviation. */
const SPREAD = 0.5

export function countData(setting: CountSetting, share: number, seed: number, run: number): CountRows {
  const { dispersion, mean, rows, features } = setting
  const random = draws(seed, 'counts', dispersion, mean, rows, features, share, run)
  const coefficients = new Float64Array(features).fill(SPREAD / Math.sqrt(features))
  const x = matrix(rows, features)
  const y = new Float64Array(rows)
  const bad = Math.round(share * rows)
  for (let i = 0; i < rows; i++) {
    let eta = Math.log(mean)
    for (let j = 0; j < features; j++) {
      const value = random.normal()
      x.values[i * features + j] = value
      eta += coefficients[j] * value
    }
    const draw = (): number => negativeBinomialDraw(Math.exp(eta), dispersion, random)
    y[i] = draw()
    if (i >= bad) continue
    // Ten times nothing is nothing: such a row would not be bad.
    while (y[i] === 0) y[i] = draw()
    y[i] *= 10
  }
  return { x, y, coefficients }
}

export function negativeBinomialDraw(mean: number, dispersion: number, random: Draws): number {
  if (dispersion === 0) return poissonDraw(mean, random)
  return poissonDraw((mean * dispersion * random.chiSquared(2 / dispersion)) / 2, random)
}

/** Poisson's law by gamma waiting times and binomial remainders (Ahrens and Dieter), exact for any mean. */
function poissonDraw(mean: number, random: Draws): number {
  let count = 0
  let left = mean
  while (left > 16) {
    const events = Math.floor(0.875 * left)
    const time = random.chiSquared(2 * events) / 2
    if (time > left) return count + random.binomial(events - 1, left / time)
    count += events
    left -= time
  }
  for (let p = random.uniform(0, 1); p > Math.exp(-left); count++) p *= random.uniform(0, 1)
  return count
}
