import { wrongLabelShare } from '../../../inference/label-noise.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import type { Caution, Fit } from '../../../result.js'
import type { FitOptions } from '../../shared/options.js'
import { fitReferenceMixture } from '../em.js'
import { leaveOneOut } from '../leave-one-out.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { assembled, withHabits } from './assemble.js'
import { allowForBend } from './bent-border.js'
import { littleSignal, manyFeatures, ROWS_PER_PARAMETER } from './cautions.js'
import { fitCrossFitted } from './cross-fitted.js'
import { bestNear, explainLabels, hasSignal } from './evidence.js'
import { allowForScatter } from './far-scatter.js'
import { explainByHabits, type Habits } from './habits.js'
import { judgeRows, judgeThroughNoise } from './judge.js'
import { type Classed, type Labelled, parametersOf } from './labelled.js'
import { type Level, levelOf, marginalEvidence } from './level.js'
import { fitMany } from './many-rows.js'
import { noiseAt } from './noise.js'
import { allowForLost, losesClass, vanishes } from './vanishing-class.js'

/** Problems of the maximum-likelihood fit that no weights can cure. */
const FATAL = ['collinear', 'few-rows', 'one-class']
/** Up to so many rows priors matter; above, so many are searched for a start. */
const EVIDENCE_ROWS = 2000
const SEARCH_ROWS = 1000
/** Parts of a level that are tried where all of it takes a class for noise. */
const SHARES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
const AT_NONE = { maxIterations: 1, tolerance: 0, level: 0 }
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
    return fitCrossFitted(likelihood, data)
  return fitByEvidence(likelihood, data, size, options)
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
  const seenOtherwise = (fit: Fit<P>): Fit<P> =>
    allowForBend(likelihood, data, allowForScatter(likelihood, data, fit))
  if (rows !== data)
    return seenOtherwise(fitMany(likelihood, data, none, explanations, habits, found, options))
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
  const first = seenOtherwise(learned ?? withoutHabits(found.level))
  if (first.corruption.interval![0] > 0) return allowForLost(likelihood, data, first)
  // Where all labels may be right, no class is given up: the most wrong ones that leave each class more than half of its own.
  if (!losesClass(likelihood, data, first)) return first
  const { interval } = first.corruption
  const open = (fit: Fit<P>): Fit<P> => ({
    ...fit,
    corruption: { ...fit.corruption, interval },
    ...(first.cautions === undefined ? {} : { cautions: first.cautions }),
  })
  for (const share of SHARES) {
    const fewer = withoutHabits(share * found.level)
    if (fewer.params.problem === undefined && !losesClass(likelihood, data, fewer)) return open(fewer)
  }
  return open(clean())
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
