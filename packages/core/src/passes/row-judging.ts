import { type Continuous, isRegression } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { exact } from '../likelihoods/shared.js'
import { rowVector } from '../matrix.js'
import { atScale } from '../mixture/continuous/em.js'
import { onModel } from '../mixture/continuous/exact-rows.js'
import type { ClusterFit } from '../mixture/laws/cluster.js'
import { byEvidence, CHOICES, inQuestion, isPlain, type Laws } from '../mixture/laws/good-rows.js'
import { type Growth, growthOf, refineGrowth } from '../mixture/laws/growth.js'
import type { Offsets } from '../mixture/laws/offsets.js'
import { offsetsOf } from '../mixture/laws/row-offsets.js'
import { type Candidate, candidatesFor, type ShellUnit, shellUnit } from '../mixture/laws/select.js'
import { followedTo, goodUnder, left, ROUNDS, still } from '../mixture/laws/settle.js'
import type { Fit, TraceStep } from '../result.js'
import type { Aggregates, RowWeights } from './aggregates.js'
import { errorsByPasses } from './errors.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import type { PassesOptions } from './result.js'
import { both } from './together.js'
import { inScales } from './weigh.js'

export interface Found<P extends Params> {
  /** At the scale of the start. */
  readonly params: P
  readonly law: Candidate
  /** All laws in the light of the fit, the one with most evidence first. */
  readonly laws: readonly Candidate[]
  readonly trace: readonly TraceStep[]
  readonly converged: boolean
  readonly errors: Pick<Fit<P>, 'standardErrors' | 'covariance'>
}

/** Good rows of normal errors, and no others: the fit is that of maximum likelihood. */
export function isClean(law: Candidate): boolean {
  return law.level === 0 && isPlain(law)
}

/** `fitGoodRows` by passes: what law the good rows follow, which rows are good, and the fit to these. */
export class RowJudging<P extends Params> {
  private readonly model: PassModel<P>
  private readonly likelihood: Continuous<Supervised, P>
  private readonly rows: Aggregates<P>
  private readonly sample: Supervised
  private readonly ml: P
  private readonly allowed: Laws
  private readonly options: PassesOptions
  private readonly about: Pick<Offsets, 'dimension' | 'signed' | 'degreesOfFreedom'>
  private readonly trace: TraceStep[] = []

  constructor(
    model: PassModel<P>,
    rows: Aggregates<P>,
    sample: Supervised,
    ml: P,
    allowed: Laws,
    options: PassesOptions,
  ) {
    this.model = model
    this.likelihood = model.likelihood as Continuous<Supervised, P>
    this.rows = rows
    this.sample = sample
    this.ml = ml
    this.allowed = allowed
    this.options = options
    this.about = {
      dimension: this.likelihood.dimension(sample),
      signed: isRegression(this.likelihood),
      degreesOfFreedom: this.likelihood.degreesOfFreedom(sample),
    }
  }

  async run(start: P): Promise<Found<P>> {
    const { trace } = this
    let laws = await this.lawsAt(start, this.allowed)
    for (let choice = 1; ; choice++) {
      const [law] = laws
      // Rows that lie on the model but for rounding have no law.
      if (!Number.isFinite(law.evidence))
        return { params: { ...start, problem: exact }, law, laws, trace, converged: false, errors: {} }
      const state = await this.settle(start, law)
      if (state.params.problem !== undefined) return { ...state, laws, trace, errors: {} }
      const near = laws.find(({ cluster, growth }) => cluster !== undefined && growth === undefined)?.cluster
      const inDoubt = inQuestion(laws, this.allowed)
      // Most often it is the last choice, and both are needed.
      const [found, errors] = await both(
        this.rows,
        () => this.lawsAt(state.params, inDoubt, near),
        () => this.errorsAt(state),
      )
      laws = found
      const [next] = laws
      const same = next.shape === law.shape && (next.growth === undefined) === (law.growth === undefined)
      if (same || choice >= CHOICES) return { ...state, laws: [state.law, ...laws], trace, errors }
    }
  }

  /** P(good) of the sample's rows. */
  trusted({ params, law }: Pick<Found<P>, 'params' | 'law'>): Float64Array {
    const { likelihood, sample } = this
    if (params.problem === undefined) return this.cleanOf(params, law)
    if (params.problem.reason === 'exact-fit') return onModel(likelihood, sample, params)
    return rowVector(likelihood.rows(sample)).fill(1)
  }

  private errorsAt({ params, law }: Pick<Found<P>, 'params' | 'law'>): Promise<Found<P>['errors']> {
    return errorsByPasses(this.model, this.rows, isClean(law) ? { params: this.ml } : { params, law })
  }

  /** The fit to the good rows of one law, and the law of that fit's offsets, until neither moves. */
  private async settle(start: P, first: Candidate): Promise<Omit<Found<P>, 'laws' | 'trace' | 'errors'>> {
    const { model, likelihood, rows, sample } = this
    const logScale = likelihood.logScale(sample, start)
    let params = start
    let law = first
    let clean = rowVector(likelihood.rows(sample))
    let moved = Number.POSITIVE_INFINITY
    for (let round = 1; round <= ROUNDS; round++) {
      if (round > 1) law = await this.followed(params, law, clean)
      const before = clean
      clean = this.cleanOf(params, law)
      const weights: RowWeights<P> = { by: 'law', params, law, use: 'fit' }
      params = await fitByPasses(model, rows, weights, params)
      if (params.problem !== undefined) return { params, law, converged: false }
      params = atScale(likelihood, sample, params, logScale)
      const last = moved
      // How far P(good) moves, the sample shows.
      moved = 0
      for (let i = 0; i < clean.length; i++) moved += Math.abs(clean[i] - before[i]) / clean.length
      this.trace.push({ bound: law.value, level: law.level, change: moved })
      this.options.onStep?.(this.trace.length, law.level)
      if (left(moved, last, rows.rows) <= still(rows.rows)) return { params, law, converged: true }
      if (round === 1) moved = Number.POSITIVE_INFINITY
    }
    return { params, law, converged: false }
  }

  private cleanOf(params: P, law: Candidate): Float64Array {
    const { values, growth } = inScales(this.likelihood, this.sample, params, law.growth)
    return goodUnder(growth === undefined ? law : { ...law, growth }, values)
  }

  private async followed(params: P, law: Candidate, clean: Float64Array): Promise<Candidate> {
    let { growth } = law
    const { likelihood, sample } = this
    if (growth !== undefined && isRegression(likelihood)) {
      const offsets = offsetsOf(likelihood, sample, params)
      growth = refineGrowth(offsets, this.predicted(params), clean, Math.exp(law.params[0]), growth.rate)
    }
    return followedTo(await this.offsets(params, law.shells.unit, growth), law, growth)
  }

  /** All laws that may be chosen, the one with most evidence first. */
  private async lawsAt(params: P, allowed: Laws, near?: ClusterFit): Promise<Candidate[]> {
    const { likelihood, sample } = this
    const own = offsetsOf(likelihood, sample, params)
    const plain = () => this.candidates(params, shellUnit(own, this.about), allowed, undefined, near)
    const growth = this.growthAt(params, own, allowed)
    if (growth === undefined) return byEvidence(await plain(), allowed)
    const { values } = inScales(likelihood, sample, params, growth)
    const grown = () => this.candidates(params, shellUnit(values, this.about), allowed, growth)
    return byEvidence((await both(this.rows, plain, grown)).flat(), allowed)
  }

  private growthAt(params: P, offsets: Float64Array, allowed: Laws): Growth | undefined {
    if (!isRegression(this.likelihood) || allowed.growth === 'not') return undefined
    const all = rowVector(offsets.length).fill(1)
    return growthOf(offsets, this.predicted(params), all, allowed.growth === 'must')
  }

  private async candidates(
    params: P,
    unit: ShellUnit,
    { shapes }: Laws,
    growth: Growth | undefined,
    near?: ClusterFit,
  ): Promise<Candidate[]> {
    return candidatesFor(await this.offsets(params, unit.radius, growth), unit, shapes, growth, near)
  }

  private async offsets(params: P, unit: number, growth: Growth | undefined): Promise<Offsets> {
    const bins = await this.rows.offsets({ params, unit, growth })
    return { ...this.about, rows: this.rows.rows, values: bins.values, counts: bins.counts }
  }

  private predicted(params: P): Float64Array {
    const { likelihood, sample } = this
    const out = rowVector(likelihood.rows(sample))
    if (isRegression(likelihood)) likelihood.predicted(sample, params, out)
    return out
  }
}
