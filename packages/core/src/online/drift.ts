import { weigh, wrongShare } from './e-step.js'
import { type History, usualLevel, usualSpread } from './level.js'
import type { Predicted, StreamModel } from './models/model.js'
import { predictedRoom, zeros } from './plain.js'
import { descend, type Learner, memoryLength } from './sgd.js'
import type { ResolvedStreamOptions, StreamBatch, StreamEvent, StreamState, StreamTrial } from './state.js'
import { sharpen } from './temperature.js'

/**
 * Drift or corruption? Both make the model's rows look bad. What tells them apart: after a drift the rejected rows
 * follow another rule, which can be learned; corrupted ones follow none. So when the level rises, a fresh challenger
 * learns beside the model, and both bet on rows before they learn from them. Where they disagree, a challenger that has
 * learned noise is right at most half of the time, as long as the model's rule holds for most rows; one that has learned
 * the new rule is right more often. The evidence is the wealth of a gambler who bets on the challenger at even odds.
 */

/** A share so far above the usual one is nothing to wonder about. */
const SLACK = 0.1
/** A trial starts when so many rows too many are bad. */
const ALARM = 10
/** The challenger takes over at odds of e^12 to 1: at the very worst one false alarm in 160,000 disputed rows by each stake. */
const PROOF = 12
/** Shares of his wealth that the gambler stakes. */
const STAKES = [0.2, 0.6]
/** Nothing is usual before so many rows. */
const SETTLED = 500
/** Without proof of drift after so many rows, it is corruption. */
const PATIENCE = 500
/** The longest trial: after it, the higher level is the usual one. */
const LONGEST = 4000
/** Corruption is told when the level is so many usual deviations above the usual. */
const UNUSUAL = 4

/** Corruption is told again when the level has gone this part of the way up to 1. */
const NEWS = 0.3
/** The excess counts to here, so that a long burst is soon over when it is over. */
const CAP = 30

const none: StreamEvent = { kind: 'none' }

/** What a batch has shown. */
export interface Verdict {
  readonly excess: number
  readonly trial: StreamTrial | null
  readonly event: StreamEvent
  /** The challenger that takes over. */
  readonly winner: { readonly learner: Learner; readonly history: History } | undefined
}

/** The model's own part of a batch: what it predicted, with which losses, and what it made of the rows. */
export interface Own {
  readonly predicted: Predicted
  readonly losses: Float64Array
  /** P(not a random label or a broad response). */
  readonly weights: Float64Array
}

/** Looks at a batch (as the model sees it) before `state` moves on. */
export function judge(model: StreamModel, state: StreamState, batch: StreamBatch, own: Own): Verdict {
  const { options } = state
  const n = batch.x.rows
  const number = state.batches + 1
  if (!options.drift || n === 0 || state.learner.rows < SETTLED) {
    return { excess: 0, trial: null, event: none, winner: undefined }
  }
  const before = state.trial
  const usual = before?.usual ?? usualLevel(state.history)
  const bad = badRows(own.weights)
  const excess = Math.max(0, state.excess + bad - n * allowed(usual))
  if (before === null && excess < ALARM) return { excess, trial: null, event: none, winner: undefined }

  // A challenger from before a further rise has learned what was true then: another one begins.
  const rise = before === null || before.rows === 0 ? 0 : raised(before, bad, n)
  const trial = before === null || rise > ALARM ? opened(model, state, number, before) : before
  const learner: Learner = {
    rows: trial.rows,
    params: Float64Array.from(trial.params),
    memory: Float64Array.from(trial.memory),
  }
  const history = { ...trial.history }
  const evidence = compete(model, options, batch, own, learner, history, trial.evidence)
  const now: StreamTrial = {
    ...trial,
    rows: learner.rows,
    params: [...learner.params],
    memory: [...learner.memory],
    history,
    bad: trial.bad + bad,
    rise: trial === before ? rise : 0,
    evidence,
  }
  if (Math.max(...evidence) > PROOF) {
    return { excess: 0, trial: null, event: drifted(now), winner: { learner, history } }
  }
  const over = excess === 0 || now.rows >= LONGEST
  const told = (over || now.rows >= PATIENCE) && unusual(now, n)
  return {
    excess: over ? 0 : Math.min(excess, CAP),
    trial: over ? null : { ...now, reported: told ? now.bad / now.rows : now.reported },
    event: told ? corrupted(model, now) : none,
    winner: undefined,
  }
}

function badRows(weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += 1 - weights[i]
  return sum
}

/** The share of rows that may be bad without wonder. */
function allowed(usual: number): number {
  return usual + SLACK * (1 - usual)
}

/** Bad rows beyond what the trial itself has seen so far, summed up as the excess is. */
function raised({ rise, bad, rows }: StreamTrial, now: number, n: number): number {
  return Math.max(0, rise + now - n * allowed(bad / rows))
}

/** A challenger that knows nothing yet, with the level of the past to begin with. */
function opened(
  model: StreamModel,
  { options, history }: StreamState,
  since: number,
  before: StreamTrial | null,
): StreamTrial {
  const parameters = model.parameters(options.features)
  return {
    since,
    rows: 0,
    params: zeros(parameters),
    memory: zeros(memoryLength(options, parameters)),
    history: before?.history ?? history,
    usual: before?.usual ?? usualLevel(history),
    spread: before?.spread ?? usualSpread(history),
    bad: 0,
    rise: 0,
    evidence: STAKES.map(() => 0),
    reported: before?.reported ?? 0,
  }
}

/** The challenger bets on the batch, then learns from it; returns the evidence for it, which never falls below none. */
function compete(
  model: StreamModel,
  options: ResolvedStreamOptions,
  { x, y }: StreamBatch,
  own: Own,
  learner: Learner,
  history: History,
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
    const won = outcome(model, y[i], own, predicted, losses, i)
    if (won === 0 || learner.rows === 0) continue
    STAKES.forEach((stake, k) => {
      evidence[k] = Math.max(0, evidence[k] + Math.log1p(won * stake))
    })
  }
  weigh(model, options, y, learner.params, predicted, losses, history, clean, weights)
  sharpen(model, options, predicted, losses, weights, learner, history)
  if (options.weights === 'mean') for (let i = 0; i < n; i++) weights[i] /= n
  descend(model, options, x, y, weights, learner)
  return evidence
}

/** 1 where the challenger is right and the model wrong, -1 the other way round, 0 where nothing is to be learned. */
function outcome(
  model: StreamModel,
  y: number,
  own: Own,
  theirs: Predicted,
  losses: Float64Array,
  i: number,
): number {
  if (model.labels === undefined) return Math.sign(own.losses[i] - losses[i])
  return (theirs.values[i] === y ? 1 : 0) - (own.predicted.values[i] === y ? 1 : 0)
}

function drifted({ since }: StreamTrial): StreamEvent {
  return {
    kind: 'drift',
    message: `since about batch ${since} the responses follow another rule than before; the model of that rule takes over`,
    since,
  }
}

/** Whether the trial's level is beyond what batches vary by, and was not told before, or not that high. */
function unusual({ bad, rows, usual, spread, reported }: StreamTrial, batchRows: number): boolean {
  const batches = Math.max(1, rows / batchRows)
  const news = reported === 0 ? 0 : reported + NEWS * (1 - reported)
  return bad / rows > Math.max(news, allowed(usual) + (UNUSUAL * spread) / Math.sqrt(batches))
}

function corrupted(model: StreamModel, { since, bad, rows, usual }: StreamTrial): StreamEvent {
  const percent = (share: number): string => `${Math.round(100 * wrongShare(model, share))} %`
  return {
    kind: 'corruption',
    message:
      `since about batch ${since} some ${percent(bad / rows)} of the responses are wrong, usually ${percent(usual)}, ` +
      'and no other rule explains them; the model stays',
    since,
  }
}
