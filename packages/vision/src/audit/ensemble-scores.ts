import { countHabits, type GivenUp, givenUp, heldOutInterval, trueLabels } from '@rlvi/nn/methods'
import { RlviError } from 'rlvi'

/** Several networks, none of which has learned from the label that it scores. */
export interface Ensemble {
  /** Adds a network's probabilities, samples x classes, of the samples with these numbers. */
  add(samples: Int32Array, probabilities: ArrayLike<number>): void
  /** What was added so far, samples x classes, and how often to each sample: to be kept, or filled again. */
  readonly sums: Float64Array
  readonly counts: Int32Array
  /** The scores of the given labels, by all networks together. */
  scores(labels: ArrayLike<number>): EnsembleScores
}

/** What an ensemble says of the labels of a data set. Arrays have an entry for each sample. */
export interface EnsembleScores {
  /** Minus the log of the mean probability that the networks give to the label, which they have not seen. */
  readonly losses: Float64Array
  /** P(the label is right), from those probabilities and from how labels go wrong. */
  readonly clean: Float64Array
  /** The label, or where the networks contradict it or it is likely wrong, the most probable other one. */
  readonly suggested: Int32Array
  /** The mean probability that the networks give to that. */
  readonly probability: Float64Array
  /** The estimated share of wrong labels. */
  readonly level: number
  /** Between which it lies (90 %); undefined with fewer than ten labels of a class, on average. */
  readonly interval: readonly [number, number] | undefined
  /** How labels go wrong: P(given y | true c), classes x classes. */
  readonly habits: Float64Array
  /** Whether the networks tell the classes apart better than chance; if not, all of this means nothing. */
  readonly learned: boolean
  /** Classes that the networks take for others. */
  readonly givenUp: readonly GivenUp[]
  /** All samples, the least probable label first. */
  readonly order: Int32Array
}

/** A float32 may be 0, whose logarithm is not finite. */
const LEAST = 1e-12
/** The share of labels that may be anything, whatever was counted: a mistake may be the first of its kind. */
const ANY = 0.01

/** An ensemble that has said nothing yet. */
export function ensemble(samples: number, classes: number): Ensemble {
  const sums = new Float64Array(samples * classes)
  const counts = new Int32Array(samples)
  return {
    sums,
    counts,
    add(scored, probabilities) {
      for (const [k, sample] of scored.entries()) {
        counts[sample]! += 1
        for (let c = 0; c < classes; c++) sums[sample * classes + c]! += probabilities[k * classes + c]!
      }
    },
    scores(labels) {
      const without = counts.indexOf(0)
      if (without >= 0) throw new RlviError('audit', 'a score of every sample is needed', without)
      // The mean of the probabilities, not of their logarithms: there, one network that is too sure would decide.
      const predictions = sums.map((sum, at) => Math.max(sum / counts[Math.floor(at / classes)]!, LEAST))
      const known = { predictions, labels, classes }
      const habits = countHabits(known, 'name').map((share) => (1 - ANY) * share + ANY / classes)
      const { posterior, clean, level } = trueLabels(known, { habits })
      const predicted = likeliest(predictions, samples, classes)
      // Of a label that is contradicted, or likely wrong: what it is then.
      const others = posterior.slice()
      for (let i = 0; i < samples; i++) others[i * classes + labels[i]!] = -1
      const suggested = likeliest(others, samples, classes).map((other, i) =>
        predicted[i] !== labels[i] || clean[i]! < 1 / 2 ? other : labels[i]!,
      )
      const losses = clean.map((_, i) => -Math.log(predictions[i * classes + labels[i]!]!))
      const order = Int32Array.from(clean.keys()).sort((a, b) => clean[a]! - clean[b]! || a - b)
      return {
        losses,
        clean,
        suggested,
        probability: clean.map((_, i) => predictions[i * classes + suggested[i]!]!),
        level,
        interval: including(level, heldOutInterval(known)),
        habits,
        learned: tellsApart(labels, predicted, classes),
        givenUp: givenUp(known, clean),
        order,
      }
    },
  }
}

function including(
  level: number,
  interval: readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  return interval && [Math.min(level, interval[0]), Math.max(level, interval[1])]
}

/** The first of the most probable classes of each sample. */
function likeliest(probabilities: Float64Array, samples: number, classes: number): Int32Array {
  return Int32Array.from({ length: samples }, (_, i) => {
    const row = probabilities.subarray(i * classes, (i + 1) * classes)
    return row.indexOf(Math.max(...row))
  })
}

/** Whether the mean over the classes of how often a label is predicted for its own samples lies well above chance. */
function tellsApart(labels: ArrayLike<number>, predicted: Int32Array, classes: number): boolean {
  const [sizes, hits] = [new Float64Array(classes), new Float64Array(classes)]
  for (const [i, guess] of predicted.entries()) {
    sizes[labels[i]!]! += 1
    if (guess === labels[i]) hits[guess]! += 1
  }
  const recalls = Array.from(sizes, (size, k) => hits[k]! / size).filter((recall) => !Number.isNaN(recall))
  const mean = recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length
  const spread = Math.sqrt((classes - 1) / classes ** 2 / predicted.length)
  return mean > 1 / classes + 2 * spread
}
