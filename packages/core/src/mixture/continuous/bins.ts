/** Distances of rows, each with how many rows have it. */
export interface Bins {
  readonly distances: Float64Array
  readonly counts: Float64Array
  readonly rows: number
}

/** Above this many rows, distances go into fine bins: their number, not that of the rows, is then the cost. */
const MANY = 4096
/** Bins of half a percent of the distance, from a thousandth of the scale up to 10^13 scales. */
const PER_LOG = 200
const SMALLEST = 1e-3
const BINS = Math.ceil(PER_LOG * Math.log(1e13 / SMALLEST))

/** The distances of squared ones, as they are or binned. */
export function toBins(squared: Float64Array): Bins {
  const rows = squared.length
  if (rows <= MANY) return { distances: squared.map(Math.sqrt), counts: new Float64Array(rows).fill(1), rows }
  const sums = new Float64Array(BINS)
  const counts = new Float64Array(BINS)
  const origin = 2 * Math.log(SMALLEST)
  for (let i = 0; i < rows; i++) {
    const place = (Math.log(squared[i]) - origin) * (PER_LOG / 2)
    const bin = place > 0 ? Math.min(BINS - 1, Math.floor(place)) : 0
    sums[bin] += Math.sqrt(squared[i])
    counts[bin]++
  }
  const used = Array.from(counts.keys()).filter((bin) => counts[bin] > 0)
  return {
    distances: Float64Array.from(used, (bin) => sums[bin] / counts[bin]),
    counts: Float64Array.from(used, (bin) => counts[bin]),
    rows,
  }
}
