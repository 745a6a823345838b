import { toBins } from './bins.js'

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

/** The offsets, as they are or, where they are many, in bins that go with shells of a unit. */
export function toOffsets(
  values: Float64Array,
  { dimension, signed, degreesOfFreedom }: Pick<Offsets, 'dimension' | 'signed' | 'degreesOfFreedom'>,
  unit: number,
  many: number = MANY,
): Offsets {
  const rows = values.length
  const about = { dimension, signed, degreesOfFreedom, rows }
  if (rows <= many) return { ...about, values, counts: new Float64Array(rows).fill(1) }
  return { ...about, ...toBins(values, dimension, unit) }
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
