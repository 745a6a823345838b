import type { Continuous } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { hasColumns, lawsFor } from '../mixture/continuous/columns.js'
import { fitContinuous } from '../mixture/continuous/continuous.js'
import { canonicalOrder } from '../mixture/continuous/order.js'
import { hasTies, trustsTie } from '../mixture/continuous/ties.js'
import { errorLaw } from '../mixture/laws/allowed.js'
import { badFromOf } from '../mixture/laws/bad-from.js'
import { levelInterval } from '../mixture/laws/level.js'
import { MAX_LEVEL } from '../mixture/laws/masses.js'
import { withoutShoulder } from '../mixture/laws/misfit.js'
import { momentsOf } from '../mixture/laws/moments.js'
import type { FitOptions } from '../mixture/shared/options.js'
import { type Caution, type Fit, statusOf } from '../result.js'
import type { Aggregates, RowWeights } from './aggregates.js'
import { errorsByPasses } from './errors.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import { ofSample } from './of-sample.js'
import type { PassesFit, PassesOptions } from './result.js'
import { isClean, RowJudging } from './row-judging.js'

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

  const allowed = lawsFor(likelihood, data, options.errors)
  const judging = new RowJudging(model, rows, data, ml, allowed, options)
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
  const [from, high] = levelInterval(laws)
  const low = law.shape.skewed ? Math.min(from, withoutShoulder(law)) : from
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
    badFrom: badFromOf(likelihood, sample, found.params, law),
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

/** A sample that has no fit is no beginning for one of all rows, which is then made without protection. */
function unprotected<S extends { readonly message: string }>(status: S): S {
  return {
    ...status,
    message: `${status.message}; so it is in a sample of the rows, and all of them were fitted without protection`,
  }
}
