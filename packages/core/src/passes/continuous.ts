import { type Continuous, isRegression } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { exact } from '../likelihoods/shared.js'
import { rowVector } from '../matrix.js'
import { fitContinuous } from '../mixture/continuous/continuous.js'
import { atScale } from '../mixture/continuous/em.js'
import { onModel } from '../mixture/continuous/exact-rows.js'
import { canonicalOrder } from '../mixture/continuous/order.js'
import { hasColumns } from '../mixture/continuous/skewed-columns.js'
import { hasTies, trustsTie } from '../mixture/continuous/ties.js'
import { allowedLaws, errorLaw } from '../mixture/laws/allowed.js'
import type { ClusterFit } from '../mixture/laws/cluster.js'
import { byEvidence, CHOICES, inQuestion, isPlain, type Laws } from '../mixture/laws/good-rows.js'
import { type Growth, growthOf, refineGrowth } from '../mixture/laws/growth.js'
import { levelInterval } from '../mixture/laws/level.js'
import { MAX_LEVEL } from '../mixture/laws/masses.js'
import { momentsOf } from '../mixture/laws/moments.js'
import type { Offsets } from '../mixture/laws/offsets.js'
import { offsetsOf } from '../mixture/laws/row-offsets.js'
import { type Candidate, candidatesFor, type ShellUnit, shellUnit } from '../mixture/laws/select.js'
import { followedTo, goodUnder, left, ROUNDS, still } from '../mixture/laws/settle.js'
import type { FitOptions } from '../mixture/shared/options.js'
import { type Caution, type Fit, statusOf, type TraceStep } from '../result.js'
import type { Aggregates, RowWeights } from './aggregates.js'
import { errorsByPasses } from './errors.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import { ofSample } from './of-sample.js'
import type { PassesFit, PassesOptions } from './result.js'
import { both } from './together.js'
import { inScales } from './weigh.js'

/** What a caution of the sample is about, where the interval of its level allows for it. */
const DOUBTS: readonly Caution['about'][] = [
  'curvature',
  'law',
  'cluster',
  'leverage',
  'level',
  'ties',
  'zeros',
]

/**
 * `fit` of continuous rows that do not lie in memory. Some of them, as many as `fit` itself takes for its starts, are fitted in
 * memory: that is where the search begins and what cautions come from. Law, level and parameters are those of all rows.
 */
export async function continuousByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  sample: Supervised,
  options: FitOptions & PassesOptions,
): Promise<PassesFit<P>> {
  const likelihood = model.likelihood as Continuous<Supervised, P>
  const plain = await fitByPasses(model, rows, { by: 'all' })
  const df = likelihood.degreesOfFreedom(sample)
  const ml = likelihood.rescale(plain, Math.sqrt(rows.rows / (rows.rows - df)))
  if (plain.problem !== undefined) return withoutProtection(plain)
  const own = model.name === 'linear' ? sample : ({ x: sample.x } as Supervised)
  // A database has no order of rows: what is drawn from them must not depend on one.
  const data = likelihood.take(own, canonicalOrder(likelihood, own, plain))
  const first = fitContinuous(likelihood, data, options)
  if (first.status.kind === 'degenerate')
    return { ...withoutProtection(ml), ml: plain, status: unprotected(first.status) }

  const leftOpen = async (): Promise<PassesFit<P>> => ({
    params: ml,
    ml: plain,
    clean: { by: 'all' },
    corruption: { level: 0, interval: [0, MAX_LEVEL], source: 'inferred' },
    ...cautionsOf(ofSample(first.cautions, sample, rows), undefined),
    ...(await errorsByPasses(model, rows, { params: ml })),
    status: { kind: 'converged' },
    iterations: 1,
    trace: [],
  })
  if (hasTies(likelihood, data) && leavesOpen(first.corruption)) return leftOpen()

  const allowed = allowedLaws(likelihood, options.errors, hasColumns(data))
  const judging = new Judging(model, rows, data, ml, allowed, options)
  const found = await judging.run(first.params)
  // As in memory: a model that trusts rows of one response, and few others, says nothing of these.
  if (trustsTie(likelihood, data, judging.trusted(found))) return leftOpen()
  if (found.params.problem !== undefined) {
    const status = statusOf(found.params, { kind: 'converged' })
    // The start is the sample's, and no fit of all rows.
    if (!Number.isFinite(found.law.evidence) && status.kind === 'degenerate')
      return { ...withoutProtection(ml), ml: plain, status: unprotected(status) }
    return { ...withoutProtection(found.params), ml: plain, status }
  }
  const { law, laws } = found
  const [low, high] = levelInterval(laws)
  const params = isClean(law) ? ml : likelihood.rescale(found.params, momentsOf(law).spread)
  const clean: RowWeights<P> =
    law.level === 0 ? { by: 'all' } : { by: 'law', params: found.params, law, use: 'clean' }
  // The sides of one column, by which it was judged in memory, distances do not know.
  const doubtful = hasColumns(data) && data.x.cols === 1
  const doubt =
    doubtful || first.cautions?.some(({ about }) => DOUBTS.includes(about))
      ? first.corruption.interval
      : undefined
  return {
    params,
    ml: plain,
    clean,
    corruption: {
      level: law.level,
      interval: [Math.min(low, law.level, doubt?.[0] ?? 1), Math.max(high, law.level, doubt?.[1] ?? 0)],
      source: 'inferred',
    },
    errors: errorLaw(law),
    ...cautionsOf(ofSample(first.cautions, sample, rows), first.errors),
    ...found.errors,
    status: found.converged
      ? { kind: 'converged' }
      : { kind: 'max-iterations', message: `still moving after ${found.trace.length} iterations` },
    iterations: found.trace.length,
    trace: found.trace,
  }
}

/** Whether nothing is known of the level: of rows of one response, maximum likelihood is the fit. */
function leavesOpen({ level, interval }: Fit<Params>['corruption']): boolean {
  return level === 0 && interval !== undefined && interval[1] >= MAX_LEVEL
}

/** What the sample says against the fit, and that columns were not put on curves, where the sample speaks for that. */
function cautionsOf(
  sample: readonly Caution[],
  errors: Fit<Params>['errors'],
): { readonly cautions?: readonly Caution[] } {
  const cautions = sample.map((caution) =>
    caution.about === 'leverage' && caution.column !== undefined
      ? { ...caution, message: `${caution.message}; within memory only: here they take part in the fit` }
      : caution,
  )
  if (errors?.columns === undefined) return cautions.length === 0 ? {} : { cautions }
  const message = `columns ${errors.columns.join(', ')} are skewed: within memory they would be put on curves that make them symmetric; here rows were judged as they are`
  return { cautions: [...cautions, { about: 'law', message, columns: errors.columns }] }
}

/** A model whose scale is 0 or whose columns depend on each other. */
function withoutProtection<P extends Params>(params: P): PassesFit<P> {
  return {
    params,
    ml: params,
    clean: { by: 'all' },
    corruption: { level: undefined, interval: undefined, source: 'inferred' },
    status: statusOf(params, { kind: 'converged' }),
    iterations: 1,
    trace: [],
  }
}

interface Found<P extends Params> {
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
function isClean(law: Candidate): boolean {
  return law.level === 0 && isPlain(law)
}

/** `fitGoodRows` by passes: what law the good rows follow, which rows are good, and the fit to these. */
class Judging<P extends Params> {
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

/** A sample that has no fit is no beginning for one of all rows, which is then made without protection. */
function unprotected<S extends { readonly message: string }>(status: S): S {
  return {
    ...status,
    message: `${status.message}; so it is in a sample of the rows, and all of them were fitted without protection`,
  }
}
