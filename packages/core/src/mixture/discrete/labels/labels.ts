import { rightLabelProbability, wrongLabelShare } from '../../../inference/label-noise.js'
import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { Caution, Corruption, Fit } from '../../../result.js'
import type { FitOptions } from '../../shared/options.js'
import { standardErrorsOf } from '../../shared/standard-errors.js'
import { toFit } from '../../shared/to-fit.js'
import { fitReferenceMixture, type ReferenceMixture } from '../em.js'
import { leaveOneOut } from '../leave-one-out.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { withLevel } from '../with-level.js'
import {
  CLEARLY,
  LITTLE_SIGNAL,
  littleSignal,
  manyFeatures,
  ROWS_PER_PARAMETER,
  withLevelCaution,
} from './cautions.js'
import { type Explanation, explainLabels, hasSignal, NO_SIGNAL } from './evidence.js'
import { allowForScatter } from './far-scatter.js'
import { explainByHabits, type Habits } from './habits.js'
import { type JudgedClasses, judgeRows, judgeThroughNoise } from './judge.js'
import type { Classed, Labelled } from './labelled.js'
import { type EvidenceCurve, type Kind, type Level, levelOf } from './level.js'
import { fitManyByHabits } from './many-habits.js'
import { noiseAt } from './noise.js'
import { outOfFold } from './out-of-fold.js'
import { fitToClasses } from './through-noise.js'

/** Problems of the maximum-likelihood fit that no weights can cure. */
const FATAL = ['collinear', 'few-rows', 'one-class']
/** Up to so many rows priors matter; above, so many are searched for a start. */
const EVIDENCE_ROWS = 2000
const SEARCH_ROWS = 1000
const LEAST_CROSS_FITTED = 8
/** Rows times squared parameters, above which matrices of the parameters cost too much. */
const MATRIX_COST = 1e7

/** `fit` for labels: first the level, by the evidence of all levels, then which labels are wrong. Nothing is drawn. */
export function fitLabels<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  const size = parametersOf(likelihood, data)
  if (Math.min(likelihood.rows(data), EVIDENCE_ROWS) * size * size > MATRIX_COST)
    return fitLarge(likelihood, data)
  return allowForScatter(likelihood, data, fitByEvidence(likelihood, data, size, options))
}

function fitByEvidence<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  size: number,
  options: FitOptions,
): Fit<P> {
  const n = likelihood.rows(data)
  const ml = likelihood.fit(data)
  const none = { ...fitReferenceMixture(likelihood, data, ml, AT_NONE), converged: true, params: ml }
  if (FATAL.includes(ml.problem?.reason ?? ''))
    return assembled(likelihood, data, { ...none, ranked: none.weights }, { level: 0, interval: [0, 1] })
  const rows = n <= EVIDENCE_ROWS ? data : sampleByLoss(likelihood, data, ml, SEARCH_ROWS)
  const explanations = explainLabels(likelihood.prior, rows, ml)
  if (explanations.length === 0)
    return assembled(likelihood, data, { ...none, ranked: none.weights }, { level: 0, interval: [0, 1] })
  const habits = explainByHabits(likelihood, rows, explanations)
  const levelBy = (learned: Habits<P> | undefined): ReturnType<typeof levelOf> =>
    levelOf(
      [
        marginalEvidence('uniform', explanations.filter(hasSignal)),
        ...(learned === undefined ? [] : [marginalEvidence('learned', learned.explanations)]),
        ...(explanations.every(hasSignal)
          ? []
          : [
              marginalEvidence(
                'no signal',
                explanations.filter((e) => !hasSignal(e)),
              ),
            ]),
      ],
      size / n,
      Math.min(size, n / ROWS_PER_PARAMETER),
    )
  let found = levelBy(habits)
  if (rows !== data) return fitMany(likelihood, data, none, explanations, habits, found, options)
  const cautions = [...manyFeatures(n, size), ...littleSignal(explanations)]
  const clean = (): Fit<P> => {
    const { strength, params } = bestNear(explanations, 0)
    const judge = likelihood.prior.strengthened(data, strength, 'replaced')
    // The largest level that is reported as 0 ranks the rows.
    const ranked = leaveOneOut(judge, data, params, 0.5 / n)
    return assembled(likelihood, data, { ...none, ranked }, { ...found, level: 0 }, cautions)
  }
  // Less than half a row is none.
  if (found.level < 0.5 / n) return clean()
  const withoutHabits = (level: number): Fit<P> => {
    const { strength, params } = bestNear(explanations, level)
    const judge = likelihood.prior.strengthened(data, strength, 'kept')
    const { weights, params: fitted } = judgeRows(judge, data, params, level)
    const model = { ...none, params: fitted, weights, ranked: weights }
    return assembled(judge, data, model, { ...found, level }, cautions)
  }
  const learned =
    habits !== undefined && found.kind === 'learned'
      ? fitWithHabits(likelihood, data, habits, found, cautions)
      : undefined
  if (learned === undefined && found.kind === 'learned') {
    found = levelBy(undefined)
    if (found.level < 0.5 / n) return clean()
  }
  const first = learned ?? withoutHabits(found.level)
  if (found.interval[0] > 0) return first
  // Where all labels may be right, no class is given up: the most wrong ones that leave each class more than half of its own.
  if (!losesClass(likelihood, data, first.clean)) return first
  for (const share of SHARES) {
    const fewer = withoutHabits(share * found.level)
    if (fewer.params.problem === undefined && !losesClass(likelihood, data, fewer.clean)) return fewer
  }
  return clean()
}

/** Parts of a level that are tried where all of it takes a class for noise. */
const SHARES = [0.75, 0.5, 0.25, 0.1]

/** Whether most labels of some class are called wrong: nothing is left then that has its name. */
function losesClass<D, P extends Params>({ classes }: Labelled<D, P>, data: D, clean: Float64Array): boolean {
  if (classes === undefined) return false
  const right = new Map<number, readonly [number, number]>()
  classes.given(data).forEach((label, i) => {
    const [sum, count] = right.get(label) ?? [0, 0]
    right.set(label, [sum + clean[i], count + 1])
  })
  return [...right.values()].some(([sum, count]) => sum < count / 2)
}

/** A class with less than this share of as many rows as have its label is no class. */
const VANISHED = 0.1

/**
 * Whether habits leave a class without rows of its own. Answers on a scale, each next to the one that was meant, are explained well if
 * nobody ever means the first and the last; but a label that somebody gave has a meaning.
 */
function vanishes<D, P extends Params>({ classes }: Classed<D, P>, data: D, posterior: Matrix): boolean {
  const own = new Float64Array(posterior.cols)
  for (let k = 0; k < posterior.values.length; k++) own[k % posterior.cols] += posterior.values[k]
  const given = new Float64Array(posterior.cols)
  for (const label of classes.given(data)) given[label]++
  return given.some((count, c) => own[c] < VANISHED * count)
}

/**
 * The labels have habits: each row is judged by P(true class), and the model is fitted to all classes that it may have; undefined
 * where a class vanishes by that.
 */
function fitWithHabits<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  { noise, explanations }: Habits<P>,
  { level, interval }: Level,
  cautions: readonly Caution[],
): Fit<P> | undefined {
  const { strength, params: start } = bestNear(explanations, level)
  const judge = likelihood.prior.strengthened(data, strength, 'kept') as Classed<D, P>
  const T = noiseAt(noise, Math.min(wrongLabelShare(level, likelihood.labels) / noise.most, 1))
  const judged = judgeThroughNoise(judge, data, start, T)
  if (vanishes(judge, data, judged.posterior)) return undefined
  return withHabits(judge, data, judged, T, { level, interval }, cautions)
}

/** The result where labels have habits. */
function withHabits<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  { params, posterior }: JudgedClasses<P>,
  habits: Matrix,
  { level, interval }: FoundLevel,
  cautions: readonly Caution[],
  standardErrors: 'with' | 'without' = 'with',
): Fit<P> {
  const given = likelihood.classes.given(data)
  const clean = given.map((label, i) => posterior.values[i * habits.cols + label])
  const throughPosterior: Discrete<D, P> = {
    ...likelihood,
    information: (rows, at) => likelihood.classes.information(rows, at, posterior),
  }
  const corruption = { ...corruptionOf(level, interval, habits.cols), habits }
  return {
    ...toFit(likelihood, data, params, { converged: true, weights: clean, trace: [] }),
    corruption,
    ...withLevelCaution(corruption, cautions),
    ...(standardErrors === 'with' ? standardErrorsOf(throughPosterior, data, params, clean) : {}),
  }
}

type FoundLevel = Pick<Level, 'level'> & { readonly interval: Level['interval'] | undefined }

/** In terms of wrong labels. */
function corruptionOf(level: number, interval: FoundLevel['interval'], labels: number): Corruption {
  return {
    level: wrongLabelShare(level, labels),
    interval: interval && [wrongLabelShare(interval[0], labels), wrongLabelShare(interval[1], labels)],
    source: 'inferred',
  }
}

const AT_NONE = { maxIterations: 1, tolerance: 0, level: 0 }

/** Many rows: their own likelihood says the level, from the start that a sample of them gives. */
function fitMany<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  none: ReferenceMixture<P>,
  explanations: readonly Explanation<P>[],
  habits: Habits<P> | undefined,
  found: Level,
  options: FitOptions,
): Fit<P> {
  const { params } = bestNear(explanations, found.level)
  const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
  const models = [params, none.params].map((start) => fitReferenceMixture(likelihood, data, start, final))
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  if (!tells(likelihood, data, best))
    return assembled(likelihood, data, { ...none, ranked: none.weights }, { level: 0, interval: [0, 1] }, [
      LITTLE_SIGNAL,
    ])
  if (habits !== undefined) {
    const classed = likelihood as Classed<D, P> & typeof likelihood
    const many = fitManyByHabits(classed, data, habits, best)
    if (many !== undefined && !vanishes(classed, data, many.posterior))
      return withHabits(classed, data, many, many.T, many, [])
  }
  const levelled = withLevel(likelihood, data, best, none)
  return assembled(likelihood, data, { ...levelled, ranked: levelled.weights }, levelled)
}

/** Whether a model of many rows explains the labels clearly better than their frequencies do, its parameters paid for as by BIC. */
function tells<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  { value }: { readonly value: number },
): boolean {
  const silent = likelihood.prior.strengthened(data, NO_SIGNAL, 'replaced')
  const losses = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, silent.fit(data), losses)
  const frequencies = -losses.reduce((sum, loss) => sum + loss, 0)
  return value > frequencies + CLEARLY + 0.5 * parametersOf(likelihood, data) * Math.log(losses.length)
}

/** log P(labels | level) at each level that was tried, summed over the priors. */
function marginalEvidence<P>(kind: Kind, explanations: readonly Explanation<P>[]): EvidenceCurve {
  const levels = [...new Set(explanations.map(({ level }) => level))].sort((a, b) => a - b)
  const logEvidence = levels.map((level) => {
    const all = explanations.filter((e) => e.level === level).map((e) => e.logEvidence)
    const most = Math.max(...all)
    if (most === Number.NEGATIVE_INFINITY) return most
    return most + Math.log(all.reduce((sum, value) => sum + Math.exp(value - most), 0))
  })
  return { kind, levels, logEvidence }
}

/** The explanation with most evidence at the level next to one. */
function bestNear<P>(explanations: readonly Explanation<P>[], level: number): Explanation<P> {
  const gap = (e: Explanation<P>): number => Math.abs(e.level - level)
  // A fit has coefficients, small as they may be.
  const fitted = explanations.filter(hasSignal)
  const nearest = Math.min(...fitted.map(gap))
  return fitted.filter((e) => gap(e) === nearest).reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
}

/** So many parameters that their matrices would take minutes: level and P(good) by cross-fitting, no standard errors. */
function fitLarge<D, P extends Params>(likelihood: Labelled<D, P>, data: D): Fit<P> {
  const n = likelihood.rows(data)
  const size = parametersOf(likelihood, data)
  const found = outOfFold(likelihood.prior, likelihood, data, size / n)
  // With so few rows even predictions of unseen rows are wrong in shape, and no interval would be honest.
  const interval = n < LEAST_CROSS_FITTED * size ? undefined : found.interval
  if (found.habits !== undefined) {
    const { T, posterior } = found.habits
    const classed = found.likelihood as Classed<D, P>
    const params = fitToClasses(classed, data, posterior, T, found.start)
    const cautions = manyFeatures(n, size, interval === undefined ? 'cannot be told' : undefined)
    const level = { level: found.level, interval }
    return withHabits(classed, data, { params, posterior }, T, level, cautions, 'without')
  }
  const none = found.level < 0.5 / n
  const params = none
    ? likelihood.fit(data, undefined, found.start)
    : found.likelihood.fit(data, found.weights, found.start)
  const model = { params, weights: found.weights, level: found.level, value: 0, converged: true, trace: [] }
  const level = none ? 0 : found.level
  const result = assembled(
    likelihood,
    data,
    { ...model, ranked: found.weights },
    { level, interval },
    manyFeatures(n, size, interval === undefined ? 'cannot be told' : undefined),
    'without',
  )
  // The largest level that is reported as 0 ranks the rows.
  const odds = 0.5 / (n - 0.5) / likelihood.labels
  const judged = none ? found.losses.map((loss) => 1 / (1 + odds * Math.exp(loss))) : found.weights
  return { ...result, clean: judged.map((p, i) => rightLabelProbability(p, found.losses[i])) }
}

/** Of a softmax those of one class follow from the others'. */
function parametersOf<D, P extends Params>(likelihood: Labelled<D, P>, data: D): number {
  const one = likelihood.take(data, [0])
  const size = likelihood.vector(likelihood.prior.strengthened(one, 1, 'replaced').fit(one)).length
  return likelihood.labels === 2 && likelihood.name === 'logistic'
    ? size
    : (size * (likelihood.labels - 1)) / likelihood.labels
}

/** The result, in terms of wrong labels. `ranked`: P(not random) by which rows are ranked. */
function assembled<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  model: ReferenceMixture<P> & { readonly ranked: Float64Array },
  { level, interval }: FoundLevel,
  cautions: readonly Caution[] = [],
  standardErrors: 'with' | 'without' = 'with',
): Fit<P> {
  const result = toFit(likelihood, data, model.params, model)
  const corruption = corruptionOf(level, interval, likelihood.labels!)
  return {
    ...result,
    clean: model.ranked.map((p, i) => rightLabelProbability(p, result.losses[i])),
    corruption,
    ...withLevelCaution(corruption, cautions),
    ...(standardErrors === 'with' ? standardErrorsOf(likelihood, data, model.params, model.weights) : {}),
  }
}
