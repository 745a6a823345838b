import type { FloatArray } from '../../executors/executor.js'
import { habitShares, likeliest, type Predicted, type Together } from './surest.js'

/**
 * How labels go wrong: T[c, y] = P(given y | true c), classes x classes. Each sample counts for the class that it is predicted to
 * be, by how sure that is, and each class has been seen once with its own name, so that one that nothing is predicted to
 * be is taken at its word. Labels that contradict a class where it is hard to tell may be right, and count as far as such labels are there
 * where it is clear (`habitShares`): all wrong names of a class together while a network learns, since it is not sure of the same images for
 * long; each by itself where rare habits are to be found.
 *
 * This is a count and no maximum of the likelihood: of predictions that follow the given labels a little, as those of every network that
 * was trained on them do, the likelihood makes no noise at all.
 */
export function countHabits(
  { predictions, labels, classes }: Predicted,
  together: Together = 'class',
): Float64Array {
  const habits = new Float64Array(classes * classes)
  for (let c = 0; c < classes; c++) habits[c * (classes + 1)] = 1
  for (let i = 0; i < labels.length; i++) {
    const best = likeliest(predictions, i, classes)
    habits[best * classes + labels[i]] += predictions[i * classes + best]
  }
  const shares = habitShares({ predictions, labels, classes }, together)
  for (let c = 0; c < classes; c++) {
    const row = habits.subarray(c * classes, (c + 1) * classes)
    const total = row.reduce((sum, count) => sum + count, 0)
    for (let y = 0; y < classes; y++) row[y] /= total
    for (let y = 0; y < classes; y++) {
      const right = (1 - shares[c * classes + y]) * row[y]
      row[y] -= right
      row[c] += right
    }
  }
  return habits
}

/** What predictions and given labels say together. */
export interface TrueLabels {
  /** T[c, y] = P(given y | true c), classes x classes. */
  readonly habits: Float64Array
  /** P(true class | image, given label), samples x classes. */
  readonly posterior: Float64Array
  /** P(the label is right), by sample. */
  readonly clean: Float64Array
  /** The share of wrong labels. */
  readonly level: number
}

/** How predictions and labels are brought together. */
export interface TrueLabelOptions {
  /** Of the predictions. Below 1 sharpens those of a network that is unsure because it has learned wrong labels too. Default 1. */
  readonly temperature?: number
  /** How labels go wrong, where it is known better than by counting (`countHabits`). */
  readonly habits?: Float64Array
}

/**
 * The true labels, as far as predictions and given labels tell.
 *
 * @example
 * const { predictions } = training.state.arrays
 * const { habits, posterior, clean, level } = trueLabels({ predictions, labels, classes: 10 }, { temperature: 0.5 })
 */
export function trueLabels(known: Predicted, options: TrueLabelOptions = {}): TrueLabels {
  const { labels, classes } = known
  const { habits = countHabits(known), temperature = 1 } = options
  const posterior = new Float64Array(labels.length * classes)
  const clean = new Float64Array(labels.length)
  const level = judgeLabels(known, { habits, temperature, classes }, clean, posterior)
  return { habits, posterior, clean, level }
}

/** Puts P(the label is right) of each sample into `clean`, and its posterior into `posterior` where that is wanted; the share of wrong labels. */
export function judgeLabels(
  { predictions, labels, classes }: Predicted,
  belief: Belief,
  clean: Float64Array,
  posterior?: Float64Array,
): number {
  const into = posterior ?? new Float64Array(classes)
  let right = 0
  for (let i = 0; i < labels.length; i++) {
    const at = posterior ? i * classes : 0
    posteriorOf(predictions, i * classes, labels[i], belief, into, at)
    clean[i] = into[at + labels[i]]
    right += clean[i]
  }
  return Math.max(0, 1 - right / labels.length)
}

/** How labels go wrong, and how far predictions are believed. */
export interface Belief {
  readonly habits: ArrayLike<number>
  /** Of the predictions. */
  readonly temperature: number
  readonly classes: number
}

/**
 * The posterior of one sample, in proportion to p(c)^(1/temperature) T[c, y], of the predictions from `from` on, written to `into` from `at`
 * on. Where nothing has both a prediction and a way to that label, the label is taken as it is.
 */
export function posteriorOf(
  predictions: ArrayLike<number>,
  from: number,
  label: number,
  { habits, temperature, classes }: Belief,
  into: FloatArray,
  at: number,
): void {
  const power = 1 / temperature
  let total = 0
  for (let c = 0; c < classes; c++) {
    const predicted = predictions[from + c]
    // A square, while networks learn, which is far quicker than a power.
    const sharpened = power === 2 ? predicted * predicted : predicted ** power
    const joint = sharpened * habits[c * classes + label]
    into[at + c] = joint
    total += joint
  }
  for (let c = 0; c < classes; c++) {
    into[at + c] = total > 0 ? into[at + c] / total : c === label ? 1 : 0
  }
}
