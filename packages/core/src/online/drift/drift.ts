import { recentLevel } from '../level/history.js'
import type { OnlineModel } from '../models/model.js'
import type { OnlineBatch, OnlineEvent } from '../result.js'
import type { OnlineChallenger, OnlineState } from '../state.js'
import { compete, freshChallenger, type OwnPart, type Successor, successorFrom } from './challenger.js'
import { corruptionEvent, driftEvent, nothingHappened } from './event.js'

/**
 * Drift or corruption? Both make the model's rows look bad. What tells them apart: after a drift the rejected rows
 * follow another rule, which can be learned; corrupted ones follow none. So when the level rises (a CUSUM of bad rows
 * beyond the baseline passes its threshold), a fresh challenger learns beside the model, and both bet on rows before
 * they learn from them. Where they disagree, a challenger that has learned noise is right at most half of the time, as
 * long as the model's rule holds for most rows; one that has learned the new rule is right more often. The evidence is
 * the wealth of a gambler who bets on the challenger at even odds.
 */

/** The CUSUM's slack: a level this part of the way from the baseline up to 1 adds nothing. */
const SLACK = 0.1
/** The CUSUM's threshold, in rows: from there on a challenger learns. */
const THRESHOLD = 10
/** The challenger takes over at odds of e^12 to 1: at the very worst one false alarm in 160,000 disputed rows by each stake. */
const PROOF = 12
/** There is no baseline before so many rows. */
const SETTLED = 500
/** Without proof of drift after so many rows, it is corruption. */
const UNPROVEN = 500
/** A challenger learns for at most so many rows: after them, the higher level is the baseline. */
const LONGEST = 4000
/** Corruption is reported when the level is so many of its deviations above the baseline. */
const DEVIATIONS = 4
/** Corruption is reported again when the level has gone this part of the way up to 1. */
const AGAIN = 0.3
/** The CUSUM counts to here, so that the alarm is soon over when a long burst is over. */
const CAP = 30

/** What a batch has shown. */
export interface Drift {
  readonly cusum: number
  readonly challenger: OnlineChallenger | null
  readonly event: OnlineEvent
  /** The challenger that takes over, after a drift. */
  readonly successor: Successor | undefined
}

/** Looks at a batch (as the model sees it) before `state` moves on. */
export function detectDrift(model: OnlineModel, state: OnlineState, batch: OnlineBatch, own: OwnPart): Drift {
  const { options } = state
  const n = batch.x.rows
  if (!options.drift || n === 0 || state.learner.rows < SETTLED) return quiet(0)
  const before = state.challenger
  const baseline = before?.baseline ?? recentLevel(state.history)
  const bad = badRows(own.weights)
  const cusum = sumUp(state.cusum, bad, n, baseline)
  if (before === null && cusum < THRESHOLD) return quiet(cusum)

  // A challenger from before a further rise has learned what was true then: another one begins.
  const further =
    before === null || before.rows === 0 ? 0 : sumUp(before.cusum, bad, n, before.bad / before.rows)
  const challenger =
    before === null || further > THRESHOLD ? freshChallenger(model, state, state.batches + 1, before) : before
  const successor = successorFrom(challenger)
  const evidence = compete(model, options, batch, own, successor, challenger.evidence)
  const { learner, history } = successor
  const now: OnlineChallenger = {
    ...challenger,
    rows: learner.rows,
    params: [...learner.params],
    memory: [...learner.memory],
    history,
    bad: challenger.bad + bad,
    cusum: challenger === before ? further : 0,
    evidence,
  }
  if (Math.max(...evidence) > PROOF) return { ...quiet(0), event: driftEvent(now), successor }
  const over = cusum === 0 || now.rows >= LONGEST
  const report = (over || now.rows >= UNPROVEN) && isUnusual(now, n)
  return {
    cusum: over ? 0 : Math.min(cusum, CAP),
    challenger: over ? null : { ...now, reported: report ? now.bad / now.rows : now.reported },
    event: report ? corruptionEvent(model, now) : nothingHappened,
    successor: undefined,
  }
}

function quiet(cusum: number): Drift {
  return { cusum, challenger: null, event: nothingHappened, successor: undefined }
}

function badRows(weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += 1 - weights[i]
  return sum
}

/** Page's CUSUM: bad rows beyond what the level allows, summed up and never below 0. */
function sumUp(cusum: number, bad: number, rows: number, level: number): number {
  return Math.max(0, cusum + bad - rows * allowed(level))
}

function allowed(level: number): number {
  return level + SLACK * (1 - level)
}

/** Whether the level is beyond what batches vary by, and was not reported before, or not that high. */
function isUnusual({ bad, rows, baseline, spread, reported }: OnlineChallenger, batchRows: number): boolean {
  const batches = Math.max(1, rows / batchRows)
  const again = reported === 0 ? 0 : reported + AGAIN * (1 - reported)
  return bad / rows > Math.max(again, allowed(baseline) + (DEVIATIONS * spread) / Math.sqrt(batches))
}
