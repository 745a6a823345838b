import { BIN_POWERS, BINS_PER_UNIT, type LossBins } from './aggregates.js'

/**
 * Losses with counts that stand for those of all rows: the sum of a function over the points is its sum over the rows, for all
 * functions that are smooth within a bin. Of each bin the sums of the first eight powers are known; eight points at
 * Chebyshev's places have the same sums with the right counts, which need not be whole, nor positive. A function with its
 * nearest pole at a distance of pi, as all functions of pi = 1 / (1 + e^(l + c)) have, is then summed to about 1e-14.
 */
export interface LossPoints {
  readonly losses: Float64Array
  readonly counts: Float64Array
  /** Of all rows, also those that lie beyond all points. */
  readonly rows: number
  readonly beyond: number
  readonly least: number
  readonly most: number
}

const PLACES = Float64Array.from({ length: BIN_POWERS }, (_, j) =>
  Math.cos((Math.PI * (j + 0.5)) / BIN_POWERS),
)

/** Lagrange's polynomials of the places by their powers: what a power's sum adds to the count of each point. */
const LAGRANGE = lagrange()

function lagrange(): Float64Array[] {
  return Array.from(PLACES, (own, j) => {
    let powers = Float64Array.of(1)
    PLACES.forEach((other, k) => {
      if (k === j) return
      const next = new Float64Array(powers.length + 1)
      powers.forEach((value, p) => {
        next[p + 1] += value / (own - other)
        next[p] -= (value * other) / (own - other)
      })
      powers = next
    })
    return powers
  })
}

export function lossPoints({ least, most, first, sums, beyond }: LossBins): LossPoints {
  const bins = sums.length / BIN_POWERS
  const used: number[] = []
  let rows = beyond
  for (let k = 0; k < bins; k++) {
    if (sums[k * BIN_POWERS] === 0) continue
    used.push(k)
    rows += sums[k * BIN_POWERS]
  }
  const losses = new Float64Array(used.length * BIN_POWERS)
  const counts = new Float64Array(losses.length)
  used.forEach((k, n) => {
    for (let j = 0; j < BIN_POWERS; j++) {
      losses[n * BIN_POWERS + j] = (first + k + (PLACES[j] + 1) / 2) / BINS_PER_UNIT
      let count = 0
      for (let p = 0; p < BIN_POWERS; p++) count += LAGRANGE[j][p] * sums[k * BIN_POWERS + p]
      counts[n * BIN_POWERS + j] = count
    }
  })
  return { losses, counts, rows, beyond, least, most }
}
