import type { History } from './level/history.js'
import type { OnlineModel, OnlinePredictions } from './models/model.js'
import type { ResolvedOnlineOptions } from './options.js'
import type { Learner } from './sgd/sgd.js'

/** Rows over which the surprise is summed up. */
const MEMORY = 1000
/** Nothing is done about a surprise of fewer standard errors than this, or of so few nats a row. */
const DOUBT = 1.5
const IMMATERIAL = 0.01
/** Only a beginner is helped: later, easy stretches of a changing stream would make the model over-sure for the hard ones. */
const BEGINNING = 5000
/** The most that the logits grow in one row, as a logarithm. */
const RATE = 0.001

/**
 * A model that began on wrong labels has too high a temperature: it takes part of them for its own doubt, and so finds
 * a level too low, and both get right only slowly. The remedy is a look at the good rows: their mean loss must be the
 * model's entropy. (The difference is the derivative of the bound in the logarithm of the logits' size.) Where it is
 * less, the temperature is lowered: the logits are scaled up.
 */
export function correctTemperature(
  model: OnlineModel,
  options: ResolvedOnlineOptions,
  { probabilities }: OnlinePredictions,
  losses: Float64Array,
  weights: Float64Array,
  learner: Learner,
  history: History,
): void {
  const K = model.labels
  if (!model.linearLogits || K === undefined || options.method !== 'calibrated') return
  if (learner.rows > BEGINNING) return
  const n = losses.length
  let sum = 0
  let squares = 0
  for (let i = 0; i < n; i++) {
    let entropy = 0
    for (let k = i * K; k < (i + 1) * K; k++) {
      const p = probabilities[k]
      if (p > 0) entropy -= p * Math.log(p)
    }
    const surprise = weights[i] * (losses[i] - entropy)
    sum += surprise
    squares += surprise * surprise
  }
  const kept = MEMORY / (MEMORY + n)
  history.surprise = (history.surprise + sum) * kept
  history.surpriseSquares = (history.surpriseSquares + squares) * kept
  // Too low a temperature gives large gradients, which SGD corrects soon; too high a one it corrects only slowly.
  const gap = -history.surprise
  const certainty = gap / Math.sqrt(history.surpriseSquares + 1e-12) - DOUBT
  if (certainty <= 0 || gap < IMMATERIAL * Math.min(MEMORY, learner.rows)) return
  const size = Math.exp(RATE * Math.min(n, 100) * Math.min(1, certainty))
  for (let j = 0; j < learner.params.length; j++) learner.params[j] *= size
  // The adaptive schedule's newest parameters are the second half of its memory.
  for (let j = learner.params.length; j < learner.memory.length; j++) learner.memory[j] *= size
}
