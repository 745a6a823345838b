import type { Matrix } from '../../matrix.js'
import { invariantCoordinates } from './invariant-coordinates.js'
import { whiten } from './whiten.js'

/** Rows as two normal clouds of one shape, beside one another. */
export interface TwoGroups {
  /** Of the second group. */
  readonly share: number
  /** Between their centres, in scales of either. */
  readonly distance: number
  /** By how much more likely the rows are than as one normal cloud. */
  readonly gain: number
  /** P(row belongs to the second group). */
  readonly second: Float64Array
}

/** Shares of the smaller group that a search begins with, on either side of a coordinate. */
const SHARES = [0.08, 0.25]
/** Splits of single coordinates are tried by a few steps, on about so many rows; the most promising are followed in all columns. */
const FEW_STEPS = 4
const FEW_ROWS = 300
const FOLLOWED = 4
const STEPS = 60
/** Steps end where they gain less. */
const STILL = 1e-3

/**
 * The best two groups, by EM in coordinates in which all rows together have covariance I: there all is said by the
 * difference of the groups' means, and along any other direction they are alike.
 */
export function twoGroups(x: Matrix): TwoGroups | undefined {
  const white = whiten(x, new Float64Array(x.rows).fill(1))
  if (white === undefined) return undefined
  const every = Math.max(1, Math.floor(x.rows / FEW_ROWS))
  const starts = invariantCoordinates(x).flatMap((coordinate) => {
    const some = standardised(coordinate.filter((_, i) => i % every === 0))
    return splits(some.values).map((start, split) => ({
      coordinate,
      split,
      gain: settle(some, start, FEW_STEPS).gain,
    }))
  })
  let best: TwoGroups | undefined
  for (const { coordinate, split } of starts.sort((a, b) => b.gain - a.gain).slice(0, FOLLOWED)) {
    const along = standardised(coordinate)
    const found = settle(white, settle(along, splits(along.values)[split], FEW_STEPS).second, STEPS)
    if (best === undefined || found.gain > best.gain) best = found
  }
  return best
}

function standardised(coordinate: Float64Array): Matrix {
  const column = { rows: coordinate.length, cols: 1, values: coordinate }
  return whiten(column, new Float64Array(coordinate.length).fill(1)) ?? column
}

/** The ends of a coordinate as the second group. */
function splits(coordinate: Float64Array): Float64Array[] {
  const sorted = Float64Array.from(coordinate).sort()
  const n = sorted.length
  return SHARES.flatMap((share) => {
    const count = Math.max(1, Math.round(share * n))
    const [low, high] = [sorted[count - 1], sorted[n - count]]
    return [coordinate.map((t) => (t <= low ? 1 : 0)), coordinate.map((t) => (t >= high ? 1 : 0))]
  })
}

/** EM from probabilities of belonging to the second group. */
function settle(white: Matrix, start: Float64Array, steps: number): TwoGroups {
  const { rows: n, cols: d, values } = white
  const second = start.slice()
  let found: TwoGroups = { share: 0, distance: 0, gain: 0, second }
  for (let step = 0; step < steps; step++) {
    const mean = new Float64Array(d)
    let count = 0
    for (let i = 0; i < n; i++) {
      count += second[i]
      for (let j = 0; j < d; j++) mean[j] += second[i] * values[i * d + j]
    }
    const share = count / n
    if (!(share > 0 && share < 1)) break
    // The mean of all is 0, so that the other group's lies opposite.
    const length = Math.hypot(...mean) / count
    const apart = length / (1 - share)
    const within = 1 - share * (1 - share) * apart * apart
    if (!(length > 0 && within > 1e-9)) break
    let gain = -0.5 * n * Math.log(within)
    for (let i = 0; i < n; i++) {
      let t = 0
      for (let j = 0; j < d; j++) t += mean[j] * values[i * d + j]
      t /= count * length
      const far = Math.log(share) - (0.5 * (t - length) ** 2) / within
      const near = Math.log1p(-share) - (0.5 * (t - length + apart) ** 2) / within
      const most = Math.max(far, near)
      gain += most + Math.log1p(Math.exp(-Math.abs(far - near))) + 0.5 * t * t
      second[i] = 1 / (1 + Math.exp(near - far))
    }
    const moved = gain - found.gain
    found = { share, distance: apart / Math.sqrt(within), gain, second }
    if (step > 0 && Math.abs(moved) < STILL) break
  }
  return found
}
