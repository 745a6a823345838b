/** What a box plot and a table say of many runs. */
export interface Summary {
  readonly mean: number
  /** Standard error of the mean. */
  readonly sem: number
  readonly min: number
  readonly q25: number
  readonly median: number
  readonly q75: number
  readonly max: number
  /** Runs that the numbers are of. */
  readonly runs: number
  /** Runs that gave no estimate; they are in none of the numbers. */
  readonly failed: number
}

/** Summary of the values; NaN stands for a failed run. */
export function summarise(values: ArrayLike<number>): Summary {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort()
  const runs = sorted.length
  const mean = sorted.reduce((sum, value) => sum + value, 0) / runs
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    mean,
    sem: runs > 1 ? Math.sqrt(squares / (runs - 1) / runs) : Number.NaN,
    min: quantile(sorted, 0),
    q25: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    q75: quantile(sorted, 0.75),
    max: quantile(sorted, 1),
    runs,
    failed: values.length - runs,
  }
}

/** A quantile of sorted values, linear between neighbours, as numpy's default. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return at % 1 === 0 ? below : below + (above - below) * (at % 1)
}
