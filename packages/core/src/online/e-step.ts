import { maximum, paperEStep, paperRules } from '../inference/paper.js'
import { scratch } from '../kernels/scratch.js'
import { entropyWeights } from '../methods/rrm.js'
import { type History, pooledEStep, remember, usualLevel } from './level.js'
import type { Predicted, StreamModel } from './models/model.js'
import type { ResolvedStreamOptions } from './state.js'

const blindVector = scratch()
const ratioVector = scratch()
const PAPER = { ...paperRules.online, normalise: 'max' } as const

/**
 * The E-step of a batch: how far each row is to be trusted, from the losses before the step. Leaves P(good) in
 * `clean`, and in `weights` what each row counts in the step; returns the batch's level, and takes it into the history.
 */
export function weigh(
  model: StreamModel,
  options: ResolvedStreamOptions,
  y: Float64Array,
  params: Float64Array,
  predicted: Predicted,
  losses: Float64Array,
  history: History,
  clean: Float64Array,
  weights: Float64Array,
): number | undefined {
  const n = losses.length
  if (n === 0) return undefined
  switch (options.method) {
    case 'sgd':
      clean.fill(1)
      weights.fill(1)
      return undefined
    case 'paper': {
      paperEStep(asked(options, predicted, losses), PAPER, clean)
      weights.set(clean)
      let sum = 0
      for (let i = 0; i < n; i++) sum += clean[i]
      remember(history, 1 - sum / n, n)
      return 1 - sum / n
    }
    case 'rrm': {
      entropyWeights(asked(options, predicted, losses), options.epsilon, weights, options.asReleased)
      const most = maximum(weights)
      for (let i = 0; i < n; i++) {
        clean[i] = weights[i] / most
        weights[i] *= n
      }
      remember(history, options.epsilon, n)
      return options.epsilon
    }
    case 'calibrated':
      return calibrated(model, y, params, predicted, losses, history, clean, weights)
  }
}

/** The losses to weigh by: the released code's know nothing of the labels. */
function asked(options: ResolvedStreamOptions, predicted: Predicted, losses: Float64Array): Float64Array {
  if (!options.asReleased) return losses
  const blind = blindVector(losses.length)
  for (let i = 0; i < blind.length; i++)
    blind[i] = Math.min(745, -Math.log(predicted.probabilities[2 * i + 1]))
  return blind
}

function calibrated(
  model: StreamModel,
  y: Float64Array,
  params: Float64Array,
  predicted: Predicted,
  losses: Float64Array,
  history: History,
  clean: Float64Array,
  weights: Float64Array,
): number {
  const n = losses.length
  const K = model.labels
  const ratios = ratioVector(n)
  if (K === undefined) {
    model.reference!(y, params, predicted, ratios)
    for (let i = 0; i < n; i++) ratios[i] = Math.exp(Math.max(-700, Math.min(700, ratios[i] - losses[i])))
  } else for (let i = 0; i < n; i++) ratios[i] = K * predicted.probabilities[i * K + y[i]]
  const epsilon = pooledEStep(ratios, history, weights)
  remember(history, epsilon, n)
  // A random label is right by chance in one of K rows: those are good rows.
  const perLabel = K === undefined ? 0 : 1 / K
  for (let i = 0; i < n; i++) clean[i] = weights[i] + (1 - weights[i]) * ratios[i] * perLabel
  return wrongShare(model, epsilon)
}

/** Of a share epsilon of random labels, one in K is right by chance. */
export function wrongShare({ labels: K }: StreamModel, epsilon: number): number {
  return K === undefined ? epsilon : (epsilon * (K - 1)) / K
}

/** The level of the recent past, as `level` has it for a batch. */
export function smoothed(
  model: StreamModel,
  options: ResolvedStreamOptions,
  history: History,
): number | undefined {
  if (options.method === 'sgd') return undefined
  if (options.method === 'calibrated') return wrongShare(model, usualLevel(history))
  return history.rows > 0 ? history.bad / history.rows : undefined
}
