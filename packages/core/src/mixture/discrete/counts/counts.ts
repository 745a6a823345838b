import { linearPredictor } from '../../../kernels/gram.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearErrors, LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import { ones } from '../../../likelihoods/shared.js'
import { rowVector } from '../../../matrix.js'
import type { Caution, ErrorLaw, Fit } from '../../../result.js'
import type { FitOptions } from '../../shared/options.js'
import { standardErrorsOf } from '../../shared/standard-errors.js'
import { toFit } from '../../shared/to-fit.js'
import { type BadCounts, countsBadFrom } from './bad-from.js'
import { allowForBend } from './bend.js'
import { crowdCaution } from './crowd-caution.js'
import { type CountMixture, fitCountMixture } from './em.js'
import { allowForTail, halvesCaution, tailCaution } from './hidden.js'
import { countInterval } from './interval.js'
import type { FittedLaw } from './laws.js'
import { type CoreShape, fitProportions, NO_CORE } from './proportions.js'
import { searchLaws, type WantedLaw, wantedLaw } from './search-laws.js'
import { searchRows } from './search-rows.js'
import { excessZeros, leavingZerosOpen } from './zeros.js'

/** Problems of the maximum-likelihood fit that no weights can cure. */
export const FATAL: readonly string[] = ['collinear', 'few-rows']
/** Of a sample's dispersion, tried again on all rows. */
const NEIGHBOURS: readonly number[] = [1, 0.9, 1.1]
/** So many are, where rows lead away from it. */
const MOST_TRIED = 15
/** Iterations of EM that all rows have then. */
export const SETTLING = 20

/**
 * `fit` for counts: Poisson's law and the negative binomial, each with and without bad counts, and the one that the rows
 * speak for. Nothing is drawn, so no seed enters.
 */
export function fitCounts(
  likelihood: CountLikelihood,
  data: Supervised,
  options: FitOptions,
): Fit<LinearParams, LinearErrors> {
  const wanted = wantedLaw(options)
  const poisson = likelihood.withDispersion(0)
  const fit = allowForBend(poisson, data, fitByLaws(poisson, data, wanted), wanted)
  if (fit.cautions !== undefined || FATAL.includes(fit.params.problem?.reason ?? '')) return fit
  const halves = halvesCaution(data, fit.errors?.dispersion ?? 0)
  return halves === undefined ? fit : { ...fit, cautions: [halves] }
}

function fitByLaws(
  poisson: CountLikelihood,
  data: Supervised,
  wanted: WantedLaw,
): Fit<LinearParams, LinearErrors> {
  const ml = poisson.fit(data)
  if (FATAL.includes(ml.problem?.reason ?? '')) return withoutBadRows(poisson, data, ml, [0, 1])

  const rows = searchRows(poisson, data, ml)
  const { laws, law, best, value } = searchLaws(poisson, rows, rows === data ? ml : poisson.fit(rows), wanted)
  const level = best === undefined ? 0 : 1 - best.good
  const interval = countInterval(laws, level, value, likelihoodAt)
  const plain = laws.filter(({ tried }) => tried.every(({ near }) => near === undefined))
  const caution = crowdCaution(laws, best, countInterval(plain, level, value, likelihoodAt), interval)
  if (rows !== data) return withCrowd(fromSearch(law, best ?? law.ml, data), interval, caution)
  // Less than half a row is none.
  const found =
    best === undefined || level < 0.5 / data.x.rows
      ? withoutBadRows(law.ml.law, data, law.ml.params, [0, interval[1]])
      : withBadRows(best, data, interval)
  return withCrowd(found, undefined, caution)
}

/** With what is to be said of a crowd; where a sample's rows leave one open, one model of all rows cannot close it. */
function withCrowd<F extends Fit<LinearParams>>(
  fit: F,
  sampled: readonly [number, number] | undefined,
  caution: Caution | undefined,
): F {
  // Zeros that no law explains have a word of their own.
  if (caution === undefined || fit.cautions?.some(({ about }) => about === 'zeros')) return fit
  const { interval = [0, 1] } = fit.corruption
  const open = sampled ?? interval
  return {
    ...fit,
    corruption: {
      ...fit.corruption,
      interval: [Math.min(interval[0], open[0]), Math.max(interval[1], open[1])],
    },
    cautions: [...(fit.cautions ?? []), caution],
  }
}

/**
 * The dispersion that is to be tried next on all rows: that of a sample, both of its neighbours, and on to the side that is
 * better, until the best lies between two others; then where the top between them must be. Undefined after that.
 */
export function nextDispersion(
  sampled: number,
  tried: readonly { readonly dispersion: number; readonly value: number }[],
): number | undefined {
  if (tried.length < NEIGHBOURS.length) {
    const next = sampled * NEIGHBOURS[tried.length]
    return sampled === 0 && tried.length > 0 ? undefined : next
  }
  if (sampled === 0 || tried.length >= MOST_TRIED) return undefined
  const sorted = tried.toSorted((a, b) => a.dispersion - b.dispersion)
  const best = sorted.reduce((a, b, k) => (b.value > sorted[a].value ? k : a), 0)
  if (best === 0) return 0.9 * sorted[0].dispersion
  if (best === sorted.length - 1) return 1.1 * sorted[best].dispersion
  // The top of the parabola through the best three, once.
  const [below, here, above] = sorted.slice(best - 1, best + 2)
  const [left, right] = [here.dispersion - below.dispersion, above.dispersion - here.dispersion]
  if (Math.min(left, right) < STEP * here.dispersion) return undefined
  const [fall, rise] = [(here.value - below.value) / left, (above.value - here.value) / right]
  const top = 0.5 * (below.dispersion + here.dispersion) + (0.5 * fall * (left + right)) / (fall - rise)
  return Number.isFinite(top) ? top : undefined
}

/** Of a dispersion: neighbours nearer than this lie where the top was looked for. */
const STEP = 0.08

function likelihoodAt(mixture: CountMixture, good: number): number {
  const { losses, counted, core, near } = mixture
  return fitProportions(losses, counted, { core, good, start: mixture, crowd: near?.losses }).likelihood
}

/** The law that a sample chose, fitted to all rows at its dispersion and its neighbours'. */
function fromSearch(
  { ml, name }: FittedLaw,
  best: Pick<CountMixture, 'law' | 'params' | 'near'> & { readonly core?: CoreShape },
  data: Supervised,
): Fit<LinearParams, LinearErrors> {
  const tried: CountMixture[] = []
  const known = (): { dispersion: number; value: number }[] =>
    tried.map(({ law, value }) => ({ dispersion: law.dispersion, value }))
  for (;;) {
    const next = nextDispersion(best.law.dispersion, known())
    if (next === undefined) break
    tried.push(
      fitCountMixture(best.law.withDispersion(next), data, best.params, best.core ?? NO_CORE, {
        maxIterations: SETTLING,
        crowd: best.near?.law,
      }),
    )
  }
  const winner = tried.reduce((a, b) => (b.value > a.value ? b : a))
  const { law } = winner
  const params = law.fit(data, undefined, ml.params)
  const losses = new Float64Array(data.x.rows)
  law.losses(data, params, losses)
  const all = { law, params, value: -losses.reduce((a, b) => a + b, 0) }
  const level = 1 - winner.good
  const fitted = { name, penalty: 0, best: winner, tried, ml: all }
  const interval = countInterval([fitted], level, Math.max(winner.value, all.value), likelihoodAt)
  return all.value >= winner.value || level < 0.5 / data.x.rows
    ? withoutBadRows(law, data, params, [0, interval[1]])
    : withBadRows(winner, data, interval)
}

function withBadRows(
  model: CountMixture,
  data: Supervised,
  interval: readonly [number, number],
): Fit<LinearParams, LinearErrors> {
  const { good, shells, core, crowd, near } = model
  const apart = near && crowd && { law: near.law, share: crowd.share }
  return assembled(model, data, 1 - good, interval, { good, shells, core, crowd: apart })
}

/** Maximum likelihood: all rows are good. */
function withoutBadRows(
  law: CountLikelihood,
  data: Supervised,
  params: LinearParams,
  interval: readonly [number, number],
): Fit<LinearParams, LinearErrors> {
  const model = { law, params, weights: ones(data.x.rows), converged: true, trace: [] }
  return assembled(model, data, 0, interval)
}

function assembled(
  model: Pick<CountMixture, 'law' | 'params' | 'weights' | 'converged' | 'trace'>,
  data: Supervised,
  level: number,
  interval: readonly [number, number],
  bad?: BadCounts,
): Fit<LinearParams, LinearErrors> {
  const { law, params, weights } = model
  const eta = rowVector(data.x.rows)
  linearPredictor(data.x, params.intercept, params.coefficients, eta)
  const zeros = excessZeros(data, model)
  const cautions = [zeros?.caution, tailCaution(law.dispersion, level)].filter(
    (caution) => caution !== undefined,
  )
  const allowed = allowForTail(law.dispersion, level, interval)
  return {
    ...(toFit(law, data, params, model) as Fit<LinearParams, LinearErrors>),
    corruption: { level, interval: leavingZerosOpen(data, weights, zeros, allowed), source: 'inferred' },
    errors: errorLawOf(law),
    ...(params.problem === undefined ? { badFrom: countsBadFrom(law, eta, bad) } : {}),
    ...(cautions.length === 0 ? {} : { cautions }),
    ...(standardErrorsOf(law, data, params, weights) as Partial<Fit<LinearParams, LinearErrors>>),
  }
}

export function errorLawOf({ dispersion }: CountLikelihood): ErrorLaw {
  return dispersion === 0 ? { name: 'poisson' } : { name: 'negative-binomial', dispersion }
}
