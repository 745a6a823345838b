import { wrongLabelShare } from '../inference/label-noise.js'
import { maximum, paperEStep, paperRules } from '../inference/paper.js'
import { scratch } from '../kernels/scratch.js'
import { entropyWeights } from '../methods/rrm.js'
import { type History, recentLevel, remember } from './level/history.js'
import { pooledEStep } from './level/pseudo-counts.js'
import type { OnlineModel, OnlinePredictions } from './models/model.js'
import type { ResolvedOnlineOptions } from './options.js'

const blindVector = scratch()
const ratioVector = scratch()
const PAPER = { ...paperRules.online, normalise: 'max' } as const

/**
 * The E-step of a batch: how probable it is that each row is good, from the losses before the step. Leaves P(good) in
 * `clean`, and in `weights` what each row counts in the step; returns the batch's level, and takes it into the history.
 */
export function eStep(
  model: OnlineModel,
  options: ResolvedOnlineOptions,
  y: Float64Array,
  params: Float64Array,
  predicted: OnlinePredictions,
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
      paperEStep(weighedBy(options, predicted, losses), PAPER, clean)
      weights.set(clean)
      let sum = 0
      for (let i = 0; i < n; i++) sum += clean[i]
      remember(history, 1 - sum / n, n)
      return 1 - sum / n
    }
    case 'rrm': {
      entropyWeights(weighedBy(options, predicted, losses), options.assumed, weights, options.asReleased)
      const most = maximum(weights)
      for (let i = 0; i < n; i++) {
        clean[i] = weights[i] / most
        weights[i] *= n
      }
      remember(history, options.assumed, n)
      return options.assumed
    }
    case 'calibrated':
      return calibrated(model, y, params, predicted, losses, history, clean, weights)
  }
}

/** The losses that decide the weights: those of the released code ignore the labels. */
function weighedBy(
  options: ResolvedOnlineOptions,
  predicted: OnlinePredictions,
  losses: Float64Array,
): Float64Array {
  if (!options.asReleased) return losses
  const blind = blindVector(losses.length)
  for (let i = 0; i < blind.length; i++)
    blind[i] = Math.min(745, -Math.log(predicted.probabilities[2 * i + 1]))
  return blind
}

function calibrated(
  model: OnlineModel,
  y: Float64Array,
  params: Float64Array,
  predicted: OnlinePredictions,
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
  const random = pooledEStep(ratios, recentLevel(history), weights)
  remember(history, random, n)
  // A random label is right by chance in one of K rows: those are good rows.
  const perLabel = K === undefined ? 0 : 1 / K
  for (let i = 0; i < n; i++) clean[i] = weights[i] + (1 - weights[i]) * ratios[i] * perLabel
  return wrongLevel(model, random)
}

/** The level of wrong labels, given that of random ones: one in K of these is right by chance. */
export function wrongLevel({ labels: K }: OnlineModel, random: number): number {
  return K === undefined ? random : wrongLabelShare(random, K)
}

/** The level of the recent past, as `level` has it for a batch. */
export function smoothedLevel(
  model: OnlineModel,
  options: ResolvedOnlineOptions,
  history: History,
): number | undefined {
  if (options.method === 'sgd') return undefined
  if (options.method === 'calibrated') return wrongLevel(model, recentLevel(history))
  return history.rows > 0 ? history.bad / history.rows : undefined
}
