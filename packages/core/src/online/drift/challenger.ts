import { eStep } from '../e-step.js'
import { type History, recentLevel, recentSpread } from '../level/history.js'
import type { OnlineModel, OnlinePredictions } from '../models/model.js'
import type { ResolvedOnlineOptions } from '../options.js'
import { predictedRoom, zeros } from '../plain.js'
import type { OnlineBatch } from '../result.js'
import { type Learner, memoryLength, sgd } from '../sgd/sgd.js'
import type { OnlineChallenger, OnlineState } from '../state.js'
import { correctTemperature } from '../temperature.js'

/** Shares of his wealth that the gambler stakes on the challenger. */
const STAKES = [0.2, 0.6]

/** The model's own part of a batch: what it predicted, with which losses, and which weights its rows got. */
export interface OwnPart {
  readonly predicted: OnlinePredictions
  readonly losses: Float64Array
  /** P(not a random label or a broad response). */
  readonly weights: Float64Array
}

/** A challenger to be changed in place. */
export interface Successor {
  readonly learner: Learner
  readonly history: History
}

/** A challenger that knows nothing yet; its baseline is the level before the first rise. */
export function freshChallenger(
  model: OnlineModel,
  { options, history }: OnlineState,
  since: number,
  before: OnlineChallenger | null,
): OnlineChallenger {
  const parameters = model.parameters(options.features)
  return {
    since,
    rows: 0,
    params: zeros(parameters),
    memory: zeros(memoryLength(options, parameters)),
    history: before?.history ?? history,
    baseline: before?.baseline ?? recentLevel(history),
    spread: before?.spread ?? recentSpread(history),
    bad: 0,
    cusum: 0,
    evidence: STAKES.map(() => 0),
    reported: before?.reported ?? 0,
  }
}

/** The challenger in vectors. */
export function successorFrom({ rows, params, memory, history }: OnlineChallenger): Successor {
  return {
    learner: { rows, params: Float64Array.from(params), memory: Float64Array.from(memory) },
    history: { ...history },
  }
}

/** The challenger bets on the batch, then learns from it; returns the evidence for it, which never falls below none. */
export function compete(
  model: OnlineModel,
  options: ResolvedOnlineOptions,
  { x, y }: OnlineBatch,
  own: OwnPart,
  { learner, history }: Successor,
  before: readonly number[],
): number[] {
  const n = x.rows
  const predicted = predictedRoom(model, n)
  const losses = new Float64Array(n)
  const clean = new Float64Array(n)
  const weights = new Float64Array(n)
  model.predict(x, learner.params, predicted)
  model.losses(y, learner.params, predicted, losses)
  const evidence = [...before]
  for (let i = 0; i < n; i++) {
    const won = betOutcome(model, y[i], own, predicted, losses, i)
    if (won === 0 || learner.rows === 0) continue
    STAKES.forEach((stake, k) => {
      evidence[k] = Math.max(0, evidence[k] + Math.log1p(won * stake))
    })
  }
  eStep(model, options, y, learner.params, predicted, losses, history, clean, weights)
  correctTemperature(model, options, predicted, losses, weights, learner, history)
  if (options.weights === 'mean') for (let i = 0; i < n; i++) weights[i] /= n
  sgd(model, options, x, y, weights, learner)
  return evidence
}

/** 1 where the challenger is right and the model wrong, -1 the other way round, 0 where the row decides nothing. */
function betOutcome(
  model: OnlineModel,
  y: number,
  own: OwnPart,
  theirs: OnlinePredictions,
  losses: Float64Array,
  i: number,
): number {
  if (model.labels === undefined) return Math.sign(own.losses[i] - losses[i])
  return (theirs.values[i] === y ? 1 : 0) - (own.predicted.values[i] === y ? 1 : 0)
}
