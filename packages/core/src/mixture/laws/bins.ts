import { LEAST, octavesOf } from './shells.js'

/** Values gathered in bins. */
export interface Bins {
  /** The mean of each bin. */
  readonly values: Float64Array
  /** How many values it has. */
  readonly counts: Float64Array
}

/** Bins for each doubling of the size, and for the unit of the shells where sizes are below all shells. */
const PER_OCTAVE = 28
const PER_UNIT = 90
const FARTHEST = 1e13

/**
 * Values in bins of a thirtieth of the scale near the model and of a fortieth of their size far from it. What a bin hides of
 * its values' spread is a ten-thousandth of the variance. Shells begin and end where bins do: a bin that a shell cuts would
 * go from one to the other as a whole while its mean moves by next to nothing.
 */
export function toBins(values: Float64Array, dimension: number, unit: number): Bins {
  const bins = new BinsBuilder(dimension, unit)
  bins.add(values)
  return bins.finish()
}

/** Where bins lie: `near` of equal width up to `edge`, then `far` more that grow with the shells. */
export interface BinGrid {
  readonly unit: number
  readonly octaves: number
  readonly perShell: number
  readonly edge: number
  readonly near: number
  readonly far: number
  /** Far bins count from here. */
  readonly first: number
}

/** The bins of offsets in these units, for rows of a dimension. */
export function binGrid(dimension: number, unit: number): BinGrid {
  const octaves = octavesOf(dimension)
  const perShell = Math.ceil(PER_OCTAVE * octaves)
  const edge = unit * 2 ** (LEAST * octaves)
  const near = Math.ceil((PER_UNIT * edge) / unit)
  const far = perShell * Math.ceil(Math.log2(FARTHEST) / octaves)
  return { unit, octaves, perShell, edge, near, far, first: LEAST * perShell }
}

/** Values and their numbers, summed bin by bin. */
export interface BinSums {
  readonly sums: Float64Array
  readonly counts: Float64Array
}

/** The same for values that come part by part. */
export class BinsBuilder {
  private readonly grid: BinGrid
  private readonly sums: Float64Array
  private readonly counts: Float64Array

  constructor(dimension: number, unit: number) {
    this.grid = binGrid(dimension, unit)
    const bins = this.grid.near + this.grid.far
    this.sums = new Float64Array(2 * bins)
    this.counts = new Float64Array(2 * bins)
  }

  add(values: Float64Array): void {
    const { sums, counts } = this
    const { unit, octaves, perShell, edge, near, far, first } = this.grid
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i])
      let bin: number
      if (size <= edge) bin = Math.min(near - 1, Math.floor((near * size) / edge))
      else {
        // Counted from the least edge of a shell, by the same arithmetic as there.
        const place = Math.ceil((Math.log2(size / unit) / octaves) * perShell) - first
        bin = near + Math.min(far, Math.max(1, place)) - 1
      }
      const at = 2 * bin + (values[i] < 0 ? 1 : 0)
      sums[at] += values[i]
      counts[at]++
    }
  }

  /** The same bins, gathered elsewhere. */
  merge({ sums, counts }: BinSums): void {
    for (let k = 0; k < counts.length; k++) {
      this.sums[k] += sums[k]
      this.counts[k] += counts[k]
    }
  }

  part(): BinSums {
    const { sums, counts } = this
    return { sums, counts }
  }

  finish(): Bins {
    const { sums, counts } = this
    const used = Array.from(counts.keys()).filter((at) => counts[at] > 0)
    return {
      values: Float64Array.from(used, (at) => sums[at] / counts[at]),
      counts: Float64Array.from(used, (at) => counts[at]),
    }
  }
}
