import type { TableFit } from '@rlvi/estimator'

/** How many rows the fit used, whether all of them are at hand or some. */
export function rowsUsed({ part, rows }: TableFit): number {
  return part?.rows ?? rows.length
}

/** How many rows lie below 0, 0.01, … 1: what the slider flags, exactly, however many rows there are. */
export function belowThresholds({ part, clean }: TableFit): number[] {
  if (part?.below !== undefined) return Array.from(part.below)
  const sorted = Float64Array.from(clean).sort()
  let at = 0
  return Array.from({ length: 101 }, (_, k) => {
    while (at < sorted.length && sorted[at]! < k / 100) at++
    return at
  })
}
