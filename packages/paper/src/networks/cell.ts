import type { EpochLine, NetworkMethod, NoiseType } from '@rlvi/vision'

/** One training run of a table. Everything that its result depends on, beside the machine. */
export interface Cell {
  readonly dataset: string
  readonly noise: NoiseType | 'none'
  /** The share of labels that the noise makes wrong; without noise, the level that the methods assume. */
  readonly rate: number
  readonly method: NetworkMethod
  readonly seed: number
  readonly epochs: number
  /** Images to train on, where not all are used. */
  readonly limit?: number
}

/** A cell with the lines of all its epochs. */
export interface CellResult {
  readonly cell: Cell
  readonly images: { readonly train: number; readonly test: number }
  /** A checksum of the images that it was trained on; cells of earlier releases have none. */
  readonly data?: string
  readonly epochs: readonly EpochLine[]
}

/** One line of the results: a cell's accuracy, and what it took. */
export interface NetworkRecord {
  readonly dataset: string
  readonly noise: string
  readonly rate: number
  readonly method: NetworkMethod
  readonly seed: number
  readonly epochs: number
  /** Test accuracy after the last epoch, a share; of CDR, which stops early, after the epoch that validates best. */
  readonly accuracy: number
  readonly cleanKept: number | null
  readonly corruptCaught: number | null
  /** The mean over the epochs but the first, which includes compilation. */
  readonly secondsPerEpoch: number
}

export function cellName({ dataset, noise, rate, method, seed, epochs, limit }: Cell): string {
  const some = limit === undefined ? '' : `-${limit}images`
  return `${dataset}-${noise}-${rate}-${method}-${epochs}epochs${some}-seed${seed}`
}

export function sameCell(one: Cell, other: Cell): boolean {
  return cellName(one) === cellName(other)
}

/** A cell's line of the results. */
export function recordOf({ cell, epochs }: CellResult): NetworkRecord {
  const { dataset, noise, rate, method, seed } = cell
  const reported = cell.method === 'cdr' ? bestValidated(epochs) : epochs.at(-1)!
  const timed = epochs.length > 1 ? epochs.slice(1) : epochs
  return {
    dataset,
    noise,
    rate,
    method,
    seed,
    epochs: cell.epochs,
    accuracy: reported.test ?? reported.validation,
    cleanKept: reported.cleanKept ?? null,
    corruptCaught: reported.corruptCaught ?? null,
    secondsPerEpoch: timed.reduce((sum, { seconds }) => sum + seconds, 0) / timed.length,
  }
}

/** The first of those that validate best. */
function bestValidated(epochs: readonly EpochLine[]): EpochLine {
  return epochs.reduce((best, line) => (line.validation > best.validation ? line : best))
}
