import { phrase, RlviError } from '../errors.js'
import { linearPredictor } from '../kernels/gram.js'
import type { CountLikelihood } from '../likelihoods/counts.js'
import type { LinearParams, Params, Supervised } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { countsBadFrom } from '../mixture/discrete/counts/bad-from.js'
import { errorLawOf, FATAL, fitCounts, nextDispersion, SETTLING } from '../mixture/discrete/counts/counts.js'
import { LEAST_GOOD, MOVING, TOLERANCE } from '../mixture/discrete/counts/em.js'
import { allowForTail } from '../mixture/discrete/counts/hidden.js'
import { countInterval } from '../mixture/discrete/counts/interval.js'
import { CORES } from '../mixture/discrete/counts/laws.js'
import { type CoreShape, NO_CORE } from '../mixture/discrete/counts/proportions.js'
import { searchLaws, wantedLaw } from '../mixture/discrete/counts/search-laws.js'
import { firstEdge } from '../mixture/discrete/counts/shells.js'
import type { FitOptions } from '../mixture/shared/options.js'
import { type Caution, statusOf, type TraceStep } from '../result.js'
import type { Aggregates, CountAggregates, RowWeights, ShellBins } from './aggregates.js'
import { standardErrors } from './labels.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import { ofSample } from './of-sample.js'
import type { PassesFit, PassesOptions } from './result.js'
import { type ShellShares, shellShares } from './shell-shares.js'
import { together } from './together.js'

/** A law of good counts among bad ones, as all rows have it. */
interface CountsByPasses<P extends Params> extends ShellShares {
  readonly rows: CountAggregates<P>
  readonly params: P
  readonly rule: RowWeights<P>
  readonly bins: ShellBins
  readonly core: CoreShape
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

/**
 * `fit` of counts that do not lie in memory. A sample chooses the law and the start, as `fit` itself does for many
 * rows; dispersion, how bad counts lie among good ones, level, interval and model are those of all rows.
 */
export async function countsByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  sample: Supervised,
  options: FitOptions & PassesOptions,
): Promise<PassesFit<P>> {
  const wanted = wantedLaw(options)
  const ml = await fitByPasses(model, rows, { by: 'all' })
  if (rows.counted === undefined) {
    const todo = "use method 'paper', or write the rows to a file and fit that"
    throw new RlviError('calibrated', 'counts need their rows', phrase('sums alone'), todo)
  }
  const poisson = rows.counted(0)
  if (FATAL.includes(ml.problem?.reason ?? ''))
    return { ...(await assembled(poisson, ml, { by: 'all' }, 0, [0, 1], undefined)), ml }
  const law = model.likelihood as unknown as CountLikelihood
  const found = searchLaws(law, sample, law.fit(sample), wanted)
  const start = found.best ?? { ...found.law.ml, core: NO_CORE }
  const tried: CountsByPasses<P>[] = []
  const known = (): { dispersion: number; value: number }[] =>
    tried.map(({ rows: { model: law }, value }) => ({ dispersion: law.dispersion ?? 0, value }))
  for (;;) {
    const next = nextDispersion(start.law.dispersion, known())
    if (next === undefined) break
    const from = start.params as unknown as P
    tried.push(await mixtureFrom(rows.counted(next), from, start.core, sample, options))
  }
  const ofSampled = tried.reduce((a, b) => (b.value > a.value ? b : a))
  tried.push(...(await otherCores(ofSampled, sample, options)))
  const winner = tried.reduce((a, b) => (b.value > a.value ? b : a))
  const params = await fitByPasses(winner.rows.model, winner.rows, { by: 'all' }, ml)
  const none = await shellsAt(winner.rows, params, params, NO_CORE, sample)
  const level = 1 - winner.good
  const all = { value: -none.loss }
  const fitted = { penalty: 0, tried, ml: all }
  const interval = countInterval(
    [fitted],
    level,
    Math.max(winner.value, all.value),
    (mixture, good) => shellShares(mixture.bins, rows.rows, { good, start: mixture }).likelihood,
  )
  const sampled = fitCounts(law, sample, options)
  const warned = ofSample(sampled.cautions, sample, rows)
  const cautions = warned.length === 0 ? undefined : warned
  // What a sample leaves open, all rows at one model leave open too: a curve, or bad counts near the good ones.
  const bends = warned.some(({ about }) => about === 'curvature')
  const near = warned.some(({ about }) => about === 'cluster' || about === 'law')
  const [least, most] = near ? sampled.corruption.interval! : interval
  const allowed = [bends ? 0 : Math.min(least, interval[0]), Math.max(most, interval[1])] as const
  const isClean = all.value >= winner.value || level < 0.5 / rows.rows
  const result = isClean
    ? await assembled(winner.rows, params, { by: 'all' }, 0, [0, allowed[1]], cautions)
    : await assembled(winner.rows, winner.params, winner.rule, level, allowed, cautions, winner)
  if (result.params.problem !== undefined) return { ...result, ml }
  const { intercept, coefficients } = result.params as unknown as LinearParams
  const eta = rowVector(sample.x.rows)
  linearPredictor(sample.x, intercept, coefficients, eta)
  const bad = isClean ? undefined : { good: winner.good, shells: winner.shells, core: winner.core }
  const own = law.withDispersion(winner.rows.model.dispersion ?? 0)
  return { ...result, badFrom: countsBadFrom(own, eta, bad, rows.rows), ml }
}

/** By so much may other bad counts explain all rows worse, at the parameters of the best, and still be fitted: the fit moves, and gains by that. */
const NEAR = 10

/** Fits with bad counts that lie otherwise among good ones than the sample has it, as far as all rows speak for them. */
async function otherCores<P extends Params>(
  { rows, params, core, value }: CountsByPasses<P>,
  sample: Supervised,
  options: PassesOptions,
): Promise<CountsByPasses<P>[]> {
  const others = CORES.filter(({ height, reach }) => height !== core.height || reach !== core.reach)
  const ask = (own: CoreShape) => () => shellsAt(rows, params, params, own, sample)
  const found: CountsByPasses<P>[] = []
  for (const [k, bins] of (await together(rows, others.map(ask))).entries())
    if (shellShares(bins, rows.rows).value > value - NEAR)
      found.push(await mixtureFrom(rows, params, others[k], sample, options))
  return found
}

/** `fitCountMixture` by passes. */
async function mixtureFrom<P extends Params>(
  rows: CountAggregates<P>,
  start: P,
  core: CoreShape,
  sample: Supervised,
  options: PassesOptions,
): Promise<CountsByPasses<P>> {
  const trace: TraceStep[] = []
  let params = start
  let at = start
  let shares: ShellShares | undefined
  for (let k = 0; ; k++) {
    if (k <= MOVING) at = params
    const bins = await shellsAt(rows, params, at, core, sample)
    const before: number = shares?.value ?? Number.NEGATIVE_INFINITY
    shares = shellShares(bins, rows.rows, { start: shares })
    const { value, good } = shares
    trace.push({ bound: value, level: 1 - good, change: value - before })
    options.onStep?.(trace.length, 1 - good)
    const rule: RowWeights<P> = {
      by: 'counts',
      params,
      at,
      least: bins.least,
      core,
      good,
      shares: shares.shells,
    }
    const converged = Math.abs(value - before) < TOLERANCE && k > 0
    if (converged || k >= SETTLING || good < LEAST_GOOD)
      return { ...shares, rows, params, rule, bins, core, converged, trace }
    params = await fitByPasses(rows.model, rows, rule, params)
  }
}

/** The shells of all rows; the sample nearly always knows where they begin. */
async function shellsAt<P extends Params>(
  rows: CountAggregates<P>,
  params: P,
  at: P,
  core: CoreShape,
  { x }: Supervised,
): Promise<ShellBins> {
  const { intercept, coefficients } = at as unknown as LinearParams
  const eta = rowVector(x.rows)
  linearPredictor(x, intercept, coefficients, eta)
  const least = firstEdge(eta, rows.model.dispersion ?? 0)
  const bins = await rows.shells({ params, at, least, core })
  return bins.least === least ? bins : await rows.shells({ params, at, least: bins.least, core })
}

async function assembled<P extends Params>(
  rows: CountAggregates<P>,
  params: P,
  clean: RowWeights<P>,
  level: number,
  interval: readonly [number, number],
  cautions: readonly Caution[] | undefined,
  { converged, trace }: Pick<CountsByPasses<P>, 'converged' | 'trace'> = { converged: true, trace: [] },
): Promise<Omit<PassesFit<P>, 'ml'>> {
  const { model } = rows
  const law = model.likelihood as unknown as CountLikelihood
  return {
    params,
    model,
    clean,
    corruption: { level, interval: allowForTail(law.dispersion, level, interval), source: 'inferred' },
    errors: errorLawOf(law),
    ...(cautions === undefined ? {} : { cautions }),
    ...(await standardErrors(model, rows, params, clean)),
    status: statusOf(
      params,
      converged
        ? { kind: 'converged' }
        : { kind: 'max-iterations', message: `still moving after ${trace.length} iterations` },
    ),
    iterations: trace.length,
    trace,
  }
}
