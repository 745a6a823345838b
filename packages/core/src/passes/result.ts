import type { Params } from '../likelihoods/likelihood.js'
import type { Fit } from '../result.js'
import type { RowWeights } from './aggregates.js'
import type { PassModel } from './models.js'

/** A fit without what is as long as the table: P(good) of a row is a rule, by which a last pass can write it. */
export interface PassesFit<P extends Params, E = unknown> extends Omit<Fit<P, E>, 'clean' | 'losses'> {
  readonly clean: RowWeights<P>
  /** Maximum likelihood: the fit without protection. */
  readonly ml: P
  /** The model whose losses rows have, where it is not the one that was asked for: counts of another law. */
  readonly model?: PassModel<P>
}

/** Options of all methods by passes. */
export interface PassesOptions {
  /** Told after every iteration, with the share of bad rows so far. */
  readonly onStep?: (iteration: number, level: number | undefined) => void
}
