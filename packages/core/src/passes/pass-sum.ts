import { RlviError } from '../errors.js'
import { scratch } from '../kernels/scratch.js'
import { type Continuous, isInformative } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import type { Matrix } from '../matrix.js'
import { type BinSums, BinsBuilder } from '../mixture/laws/bins.js'
import { offsetsOf } from '../mixture/laws/row-offsets.js'
import { addTo } from './add-to.js'
import type {
  LossBins,
  Moments,
  MomentsAsked,
  NewtonAsked,
  NewtonSums,
  OffsetBins,
  OffsetsAsked,
  RowWeights,
  ShellBins,
  ShellsAsked,
} from './aggregates.js'
import { LossBinsBuilder } from './loss-bins.js'
import type { PassModel } from './models.js'
import { MomentSums } from './moment-sums.js'
import { NewtonPass } from './newton-sums.js'
import { ShellBinsBuilder } from './shell-bins.js'
import { inScales, weigh } from './weigh.js'

/** What one pass over all rows is to find, in plain data: another thread can be asked the same. */
export interface PassAsks<P extends Params> {
  readonly losses: { readonly params: P }
  readonly moments: MomentsAsked<P>
  readonly newton: NewtonAsked<P>
  readonly offsets: OffsetsAsked<P>
  readonly information: { readonly params: P; readonly weights: RowWeights<P> }
  readonly shells: ShellsAsked<P>
}

/** What is found. */
export interface PassAnswers {
  readonly losses: LossBins
  readonly moments: Moments
  readonly newton: NewtonSums
  readonly offsets: OffsetBins
  readonly information: Matrix
  readonly shells: ShellBins
}

/** A sum over rows, block by block. */
export interface PassSum<R, Part = R> {
  add(data: Supervised): void
  /** Adds what another one found of other rows. */
  merge(part: Part): void
  /** What was found so far, for another one; left out where that is what is found in the end. */
  part?(): Part
  finish(): R
}

/** What finds the answer to a question, of columns about their centre. */
export function passSum<P extends Params, K extends keyof PassAnswers>(
  model: PassModel<P>,
  what: K,
  ask: PassAsks<P>[K],
  centre: Float64Array,
): PassSum<PassAnswers[K], unknown> {
  const make: { readonly [Q in keyof PassAnswers]: (ask: PassAsks<P>[Q]) => unknown } = {
    losses: (own) => new LossesPass(model, own.params),
    moments: (own) => new MomentSums(model, own, centre),
    newton: (own) => new NewtonPass(model, own, centre),
    offsets: (own) => new OffsetsPass(model, own),
    information: (own) => new InformationPass(model, own),
    shells: (own) => new ShellBinsBuilder(model, own),
  }
  return make[what](ask) as PassSum<PassAnswers[K], unknown>
}

class LossesPass<P extends Params> implements PassSum<LossBins> {
  private readonly model: PassModel<P>
  private readonly params: P
  private readonly bins = new LossBinsBuilder()
  private readonly losses = scratch()

  constructor(model: PassModel<P>, params: P) {
    this.model = model
    this.params = params
  }

  add(data: Supervised): void {
    const losses = this.losses(data.x.rows)
    this.model.likelihood.losses(data, this.params, losses)
    this.bins.add(losses)
  }

  merge(part: LossBins): void {
    this.bins.merge(part)
  }

  finish(): LossBins {
    return this.bins.finish()
  }
}

class OffsetsPass<P extends Params> implements PassSum<OffsetBins, Dimensioned> {
  private readonly likelihood: Continuous<Supervised, P>
  private readonly ask: OffsetsAsked<P>
  private readonly offsets = scratch()
  /** Known with the first rows. */
  private found: { readonly dimension: number; readonly bins: BinsBuilder } | undefined

  constructor({ likelihood }: PassModel<P>, ask: OffsetsAsked<P>) {
    this.likelihood = likelihood as Continuous<Supervised, P>
    this.ask = ask
  }

  private binsOf(dimension: number): BinsBuilder {
    this.found ??= { dimension, bins: new BinsBuilder(dimension, this.ask.unit) }
    return this.found.bins
  }

  add(data: Supervised): void {
    const { likelihood, ask } = this
    const bins = this.binsOf(likelihood.dimension(data))
    const own = offsetsOf(likelihood, data, ask.params, this.offsets(data.x.rows))
    bins.add(inScales(likelihood, data, ask.params, ask.growth, own).values)
  }

  merge({ dimension, sums }: Dimensioned): void {
    this.binsOf(dimension).merge(sums)
  }

  part(): Dimensioned {
    const { dimension, bins } = this.found!
    return { dimension, sums: bins.part() }
  }

  finish(): OffsetBins {
    return this.found!.bins.finish()
  }
}

interface Dimensioned {
  readonly dimension: number
  readonly sums: BinSums
}

class InformationPass<P extends Params> implements PassSum<Matrix> {
  private readonly model: PassModel<P>
  private readonly ask: PassAsks<P>['information']
  private total: Matrix | undefined

  constructor(model: PassModel<P>, ask: PassAsks<P>['information']) {
    this.model = model
    this.ask = ask
  }

  add(data: Supervised): void {
    const { bare, name } = this.model
    const { params, weights } = this.ask
    if (!isInformative(bare))
      throw new RlviError('information', 'a model with standard errors is needed', name)
    this.merge(bare.information(data, params, weigh(this.model, data, weights)))
  }

  merge(part: Matrix): void {
    if (this.total === undefined) this.total = part
    else addTo(this.total.values, part.values)
  }

  finish(): Matrix {
    return this.total!
  }
}
