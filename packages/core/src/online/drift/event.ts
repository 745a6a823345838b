import { wrongLevel } from '../e-step.js'
import type { OnlineModel } from '../models/model.js'
import type { OnlineEvent } from '../result.js'
import type { OnlineChallenger } from '../state.js'

export const nothingHappened: OnlineEvent = { kind: 'none' }

/** The challenger's rule has been shown to hold. */
export function driftEvent({ since }: OnlineChallenger): OnlineEvent {
  return {
    kind: 'drift',
    message: `since about batch ${since} the responses follow another rule than before; the model of that rule takes over`,
    since,
  }
}

/** More rows are bad than before, and the challenger has not learned why. */
export function corruptionEvent(
  model: OnlineModel,
  { since, bad, rows, baseline }: OnlineChallenger,
): OnlineEvent {
  const percent = (level: number): string => `${Math.round(100 * wrongLevel(model, level))} %`
  return {
    kind: 'corruption',
    message:
      `since about batch ${since} some ${percent(bad / rows)} of the responses are wrong, usually ${percent(baseline)}, ` +
      'and no other rule explains them; the model stays',
    since,
  }
}
