import { exactEStep } from '../../../inference/exact.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { type Matrix, matrix } from '../../../matrix.js'
import { type Fold, intervalOf, SHARPNESS, sharpened, union } from './folds.js'
import type { Classed } from './labelled.js'
import { learnHabits } from './learn-habits.js'
import { admittedLoss, clearly, type Level } from './level.js'
import { type Noise, noiseAt, noiseThrough, posteriorOf, uniformNoise } from './noise.js'
import { fitThroughNoise } from './through-noise.js'

const ROUNDS = 2
const ONWARDS = { maxIterations: 3, tolerance: 0.5 }

/** Labels that go wrong by habit, judged by fits to other rows. */
export interface HabitsOutOfFold extends Level {
  /** Whether habits are clearly better than uniform noise, or no more than possible. */
  readonly clear: boolean
  /** P(given y | true c) at the level. */
  readonly T: Matrix
  /** P(true class | features, given label). */
  readonly posterior: Matrix
}

/**
 * What P(class) of rows that a fit has not seen says of how their labels go wrong; the models then take that into account,
 * and are asked again. Undefined where it speaks for uniform noise.
 */
export function habitsOutOfFold<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  folds: readonly Fold<D>[],
  start: readonly P[],
  sharpness: number,
  parametersPerRow: number,
): HabitsOutOfFold | undefined {
  const given = likelihood.classes.given(data)
  const admitted = admittedLoss(parametersPerRow, 'learned')
  let models = start
  let habits = learnHabits(classesOf(likelihood, folds, models, sharpness), given)
  let gain = habits.gain
  let judged: Judged | undefined
  for (let round = 0; round < ROUNDS; round++) {
    // Above 1: less speaks for nothing.
    if (gain < 1) return undefined
    const { T, shares } = habits
    models = folds.map(({ train }, k) => fitThroughNoise(likelihood, train, models[k], T, ONWARDS).params)
    judged = judge(likelihood, folds, models, given, noiseThrough(T, shares), admitted)
    habits = learnHabits(judged.p, given)
    gain = habits.gain
  }
  const { level, interval, p, noise } = judged!
  const T = noiseAt(noise, level)
  const asUniform = (t: number): number => (t * noise.most) / uniformNoise(T.cols).most
  return {
    clear: gain >= clearly(parametersPerRow),
    level: asUniform(level),
    interval: [asUniform(interval[0]), asUniform(interval[1])],
    T,
    posterior: posteriorOf(p, given, T).posterior,
  }
}

interface Judged extends Level {
  readonly p: Matrix
  readonly noise: Noise
}

/** The level of a noise and its interval, at the sharpness that predicts unseen rows best; the interval is of all sharpnesses. */
function judge<D, P extends Params>(
  likelihood: Classed<D, P>,
  folds: readonly Fold<D>[],
  models: readonly P[],
  given: Float64Array,
  noise: Noise,
  admitted: number,
): Judged {
  const tried = SHARPNESS.map((factor) => {
    const p = classesOf(likelihood, folds, models, factor)
    // P(given label), were no label wrong, and were t = 1.
    const none = posteriorOf(p, given, noiseAt(noise, 0)).logs
    const all = posteriorOf(p, given, noise.habits).logs
    const level = Math.min(exactEStep(all.map((log, i) => log - none[i])).level, 0.95)
    const valueAt = (t: number): number =>
      none.reduce((sum, log, i) => sum + Math.log((1 - t) * Math.exp(log) + t * Math.exp(all[i])), 0)
    return { p, level, value: valueAt(level), valueAt }
  })
  const best = tried.reduce((a, b) => (b.value > a.value ? b : a))
  const wanted = best.value - admitted
  const interval = union(
    tried
      .filter(({ value }) => value >= wanted)
      .map(({ valueAt, level }) => intervalOf(valueAt, level, wanted)),
  )
  return { level: best.level, interval, p: best.p, noise }
}

/** P(class) of each row by a fit without it, rows x classes. */
function classesOf<D, P extends Params>(
  likelihood: Classed<D, P>,
  folds: readonly Fold<D>[],
  models: readonly P[],
  sharpness: number,
): Matrix {
  const K = likelihood.labels!
  const out = matrix(
    folds.reduce((sum, { rows }) => sum + rows.length, 0),
    K,
  )
  folds.forEach(({ rows, held }, k) => {
    const p = likelihood.classes.probabilities(held, sharpened(likelihood, models[k], sharpness))
    rows.forEach((row, at) => {
      out.values.set(p.values.subarray(at * K, (at + 1) * K), row * K)
    })
  })
  return out
}
