import { kthSmallests } from './kth-smallest.js'

/** Where the middle half of some values lies, and how wide it is, which a few of them far out do not change. */
export interface MiddleHalf {
  /** The median. */
  readonly centre: number
  /** The standard deviation of normal values with these quartiles. */
  readonly scale: number
}

/** The interquartile range of a normal distribution, in standard deviations. */
const NORMAL_QUARTILES = 1.349
/** The shares of values below the quartiles and the median. */
export const QUARTILES: readonly number[] = [0.25, 0.5, 0.75]

/** The middle half of values, whatever their order; of none 0. */
export function middleHalf(values: Float64Array): MiddleHalf {
  if (values.length === 0) return { centre: 0, scale: 0 }
  return ofQuartiles(
    kthSmallests(
      values,
      QUARTILES.map((share) => rankOf(share, values.length)),
    ),
  )
}

/** The middle half by its lower quartile, median and upper quartile. */
export function ofQuartiles([low = 0, median = 0, high = 0]: Iterable<number>): MiddleHalf {
  return { centre: median, scale: (high - low) / NORMAL_QUARTILES }
}

/** The rank of the value that has a share of all others below it. */
export function rankOf(share: number, count: number): number {
  return Math.floor(share * (count - 1))
}
