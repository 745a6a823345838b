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
/** Bins of two and a half percent of the offset, from a thousandth of the scale up to 10^13 scales, on either side. */
const PER_LOG = 40
const SMALLEST = 1e-3
const BINS = Math.ceil(PER_LOG * Math.log(1e13 / SMALLEST))

/** The offsets, as they are or binned. */
export function toOffsets(
  values: Float64Array,
  about: Pick<Offsets, 'dimension' | 'signed' | 'degreesOfFreedom'>,
): Offsets {
  const rows = values.length
  if (rows <= MANY) return { ...about, rows, values, counts: new Float64Array(rows).fill(1) }
  const sums = new Float64Array(2 * BINS)
  const counts = new Float64Array(2 * BINS)
  for (let i = 0; i < rows; i++) {
    const place = Math.log(Math.abs(values[i]) / SMALLEST) * PER_LOG
    const bin = place > 0 ? Math.min(BINS - 1, Math.floor(place)) : 0
    const at = 2 * bin + (values[i] < 0 ? 1 : 0)
    sums[at] += values[i]
    counts[at]++
  }
  const used = Array.from(counts.keys()).filter((at) => counts[at] > 0)
  return {
    ...about,
    rows,
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
