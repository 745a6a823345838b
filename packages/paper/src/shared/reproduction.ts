import { RlviError } from 'rlvi'

/** How an experiment is run. */
export interface ReproduceOptions {
  /** Data sets for each problem and level, or orders of the stream; default 100, for streams 10. */
  readonly runs?: number
  readonly seed: number
  /** A folder for the page, the figures and the records. */
  readonly out?: string
  /** Makes `text` the records as JSON. */
  readonly json: boolean
  /** Default: all cores. */
  readonly threads?: number
  /** Other corruption levels than the paper's, for the synthetic problems. */
  readonly epsilons?: readonly number[]
  /** For the experiments on streams: the file or folder with the data, in place of a synthetic stand-in. */
  readonly data?: string
  /** How it was asked for, as the page and its captions show it. Default: the call of `reproduce`. */
  readonly command?: string
  readonly onProgress?: (done: number, total: number) => void
}

/** What an experiment came to. */
export interface Reproduction<Row> {
  readonly records: readonly Row[]
  /** A table for a terminal, or the records as JSON. */
  readonly text: string
  /** Where the page is, if one was asked for. */
  readonly page?: string
}

/** A whole number that is at least `least`, or an error. */
export function wholeNumber(where: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new RlviError(where, `a whole number of at least ${least} is needed`, value)
}

/** Only the synthetic problems have a level to choose. */
export function refuseEpsilons(name: string, { epsilons }: ReproduceOptions): void {
  if (epsilons === undefined) return
  throw new RlviError('reproduce epsilons', `${name} has levels of its own; leave them out`, [...epsilons])
}
