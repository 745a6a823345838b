import { exactEStep } from '../../../inference/exact.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { inverseQuadratic } from '../../../linalg/symmetric.js'
import type { Matrix } from '../../../matrix.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { better } from './evidence.js'
import { type Habits, takeTurns } from './habits.js'
import type { JudgedClasses } from './judge.js'
import type { Classed } from './labelled.js'
import { leaveOneOutClasses } from './leave-one-out-classes.js'
import { clearly, type Level } from './level.js'
import { type Noise, noiseAt, noiseThrough, posteriorOf, uniformNoise } from './noise.js'
import { fitThroughNoise } from './through-noise.js'

/** So many rows say how labels go wrong; all say how many do. */
const ROWS = 10_000
const ROUNDS = 20
const STILL = 1e-6
const EM = { maxIterations: 20, tolerance: 1e-4 }
/** Half width of a 90 % interval of two unknowns, the level and a direction of habits, in standard errors. */
const Z = 2.146

/** Labels of many rows that go wrong by habit. */
export interface ManyHabits<P> extends Level, JudgedClasses<P> {
  /** P(given y | true c) at the level. */
  readonly T: Matrix
  /** Whether habits are clearly better than uniform noise, or no more than possible. */
  readonly clear: boolean
}

/** Habits that a sample of the rows speaks for, learned anew from many; undefined where uniform noise explains the labels clearly better. */
export function fitManyByHabits<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  { noise: first, explanations }: Habits<P>,
  uniform: { readonly params: P; readonly value: number },
): ManyHabits<P> | undefined {
  const start = better(explanations)
  const { most } = uniformNoise(first.habits.cols)
  const some = sampleByLoss(likelihood, data, uniform.params, ROWS)
  const found = takeTurns(likelihood, some, start.params, noiseAt(first, (start.level * most) / first.most))
  if (found === undefined) return undefined
  const noise = noiseThrough(found.T, found.shares)
  const given = likelihood.classes.given(data)
  let model = fitThroughNoise(likelihood, data, found.params, found.T, EM)
  let t = levelOf(likelihood.classes.probabilities(data, model.params), given, noise)
  for (let round = 0; round < ROUNDS; round++) {
    model = fitThroughNoise(likelihood, data, model.params, noiseAt(noise, t), EM)
    const next = levelOf(likelihood.classes.probabilities(data, model.params), given, noise)
    const moved = Math.abs(next - t)
    t = next
    if (moved < STILL) break
  }
  const parametersPerRow = likelihood.vector(model.params).length / given.length
  const gain = model.value - found.cost - uniform.value
  if (gain < -clearly(parametersPerRow)) return undefined
  const T = noiseAt(noise, t)
  const error = standardError(likelihood, data, model.params, model.posterior, noise, t)
  const judged = leaveOneOutClasses(likelihood, data, model.params, model.posterior)
  const asUniform = (at: number): number => (Math.min(Math.max(at, 0), 1) * noise.most) / most
  return {
    params: model.params,
    posterior: posteriorOf(judged, given, T).posterior,
    T,
    clear: gain >= clearly(parametersPerRow),
    level: asUniform(t),
    interval: [asUniform(t - Z * error), asUniform(t + Z * error)],
  }
}

/** The most probable t, given P(class) of each row. */
function levelOf(p: Matrix, given: Float64Array, noise: Noise): number {
  const none = posteriorOf(p, given, noiseAt(noise, 0)).logs
  const all = posteriorOf(p, given, noise.habits).logs
  return Math.min(exactEStep(all.map((log, i) => log - none[i])).level, 0.95)
}

/** The standard error of t, with the model's parameters unknown too. */
function standardError<D, P extends Params>(
  likelihood: Classed<D, P>,
  rows: D,
  fitted: P,
  posterior: Matrix,
  noise: Noise,
  t: number,
): number {
  const { data, params } = likelihood.centred?.(rows, fitted) ?? { data: rows, params: fitted }
  const { classes } = likelihood
  const K = posterior.cols
  const given = classes.given(data)
  const p = classes.probabilities(data, params)
  const none = noiseAt(noise, 0)
  const T = noiseAt(noise, t)
  const slopes = noise.habits.values.map((h, k) => h - none.values[k])
  const every = Array.from(given.keys())
  const cross = new Float64Array(likelihood.vector(params).length)
  // d log P(given) / dt of each row.
  const scores = new Float64Array(given.length)
  const densities = new Float64Array(given.length)
  for (let i = 0; i < given.length; i++) {
    for (let c = 0; c < K; c++) {
      densities[i] += p.values[i * K + c] * T.values[c * K + given[i]]
      scores[i] += p.values[i * K + c] * slopes[c * K + given[i]]
    }
    scores[i] /= densities[i]
  }
  for (let c = 0; c < K; c++) {
    const gradients = likelihood.gradients(
      classes.labelled(data, every, new Float64Array(given.length).fill(c)),
      params,
    ).values
    for (let i = 0; i < given.length; i++) {
      // How P(true class c) of the row moves with t.
      const k = i * K + c
      const move = (p.values[k] * slopes[c * K + given[i]]) / densities[i] - posterior.values[k] * scores[i]
      for (let j = 0; j < cross.length; j++) cross[j] += move * gradients[i * cross.length + j]
    }
  }
  const own = scores.reduce((sum, score) => sum + score * score, 0)
  const lost = inverseQuadratic(classes.information(data, params, posterior), cross)
  // Rounding must not leave nothing.
  return 1 / Math.sqrt(Math.max(own - lost, 0.02 * own))
}
