import {
  costOf,
  MAX_STEPS,
  type Proportions,
  startShares,
  TOLERANCE,
} from '../mixture/discrete/counts/proportions.js'
import type { ShellBins } from './aggregates.js'
import { lossPoints } from './loss-points.js'

/** Shares of good rows and of each shell. */
export type ShellShares = Omit<Proportions, 'weights'>

/** `fitProportions` on rows in bins. */
export function shellShares(
  { bins, certain, logDensities, ...tally }: ShellBins,
  rows: number,
  options: { readonly good?: number; readonly start?: Pick<Proportions, 'good' | 'shells'> | undefined } = {},
): ShellShares {
  const points = bins.map((own) => lossPoints(own))
  let good = options.good ?? options.start?.good ?? 0.9
  let shares = startShares(tally, options.start)
  let value = Number.NEGATIVE_INFINITY
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = new Float64Array(shares.length)
    let sum = logDensities + certain.rows * Math.log(good) - certain.loss
    let goodRows = certain.rows
    points.forEach(({ losses, counts, beyond }, k) => {
      const bad = (1 - good) * shares[k]
      for (let i = 0; i < losses.length; i++) {
        // A row is good by g / (g + b) with g = good e^-l and b as it is in units of its own density.
        const g = good * Math.exp(-losses[i])
        const p = g / Math.max(g + bad, Number.MIN_VALUE)
        goodRows += counts[i] * p
        next[k] += counts[i] * (1 - p)
        sum += counts[i] * Math.log(Math.max(g + bad, Number.MIN_VALUE))
      }
      next[k] += beyond
      if (beyond > 0) sum += beyond * Math.log(Math.max(bad, Number.MIN_VALUE))
    })
    const gain = sum - value
    value = sum
    if (gain < TOLERANCE && step > 0) break
    good = options.good ?? goodRows / rows
    const all = next.reduce((a, b) => a + b, 0)
    if (all > 0) shares = next.map((share) => share / all)
  }
  return { good, shells: shares, value: value - costOf(shares, 1 - good, rows), likelihood: value }
}
