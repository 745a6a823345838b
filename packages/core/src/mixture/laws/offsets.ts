/** How far rows lie off a model, in units of its scale: residuals with their sign, or distances in several dimensions. */
export interface Offsets {
  readonly values: Float64Array
  /** How many rows each value stands for. */
  readonly counts: Float64Array
  readonly rows: number
  readonly dimension: number
  /** Whether the values have a sign. */
  readonly signed: boolean
  /** Of the model's fit, per dimension. */
  readonly degreesOfFreedom: number
}

/** Above this many rows, offsets go into fine bins: their number, not that of the rows, is then the cost. */
export const MANY = 2048
/**
 * Bins of a thirtieth of the scale near the model and of a thirtieth of the offset far from it, up to 10^13 scales on either
 * side. What a bin hides of its rows' spread is a ten-thousandth of the variance. In several dimensions good rows lie in a
 * shell, which takes finer ones.
 */
const FINE = 30
const FARTHEST = 1e13

/** The offsets, as they are or, where they are many, binned. */
export function toOffsets(
  values: Float64Array,
  about: Pick<Offsets, 'dimension' | 'signed' | 'degreesOfFreedom'>,
  many: number = MANY,
): Offsets {
  const rows = values.length
  if (rows <= many) return { ...about, rows, values, counts: new Float64Array(rows).fill(1) }
  return { ...about, rows, ...toBins(values, about.dimension) }
}

/** Values gathered in bins: the mean of each, and how many it has. */
export function toBins(values: Float64Array, dimension: number): Pick<Offsets, 'values' | 'counts'> {
  const fine = FINE * Math.sqrt(dimension)
  const bins = Math.ceil(fine * Math.asinh(FARTHEST))
  const sums = new Float64Array(2 * bins)
  const counts = new Float64Array(2 * bins)
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i])
    // asinh of the size, by its definition: Math.asinh is slow.
    const bin = Math.min(bins - 1, Math.floor(fine * Math.log(size + Math.sqrt(size * size + 1))))
    const at = 2 * bin + (values[i] < 0 ? 1 : 0)
    sums[at] += values[i]
    counts[at]++
  }
  const used = Array.from(counts.keys()).filter((at) => counts[at] > 0)
  return {
    values: Float64Array.from(used, (at) => sums[at] / counts[at]),
    counts: Float64Array.from(used, (at) => counts[at]),
  }
}

/** The offsets below which the shares of the rows lie. */
export function quantiles({ values, counts, rows }: Offsets, shares: readonly number[]): number[] {
  const order = Array.from(values.keys()).sort((i, j) => values[i] - values[j])
  return shares.map((share) => {
    let below = 0
    for (const i of order) {
      below += counts[i]
      if (below >= share * rows) return values[i]
    }
    return values[order[order.length - 1]]
  })
}

/** Those no farther off than a distance. */
export function within(offsets: Offsets, distance: number): Offsets {
  const near = Array.from(offsets.values.keys()).filter((i) => Math.abs(offsets.values[i]) <= distance)
  const counts = Float64Array.from(near, (i) => offsets.counts[i])
  return {
    ...offsets,
    values: Float64Array.from(near, (i) => offsets.values[i]),
    counts,
    rows: counts.reduce((sum, count) => sum + count, 0),
  }
}
