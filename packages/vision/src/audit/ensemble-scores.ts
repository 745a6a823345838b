import { calibrate } from '@rlvi/nn/methods'
import { RlviError } from 'rlvi'

/** What several models, none of which learned from the label, say of each sample. */
export interface Opinions {
  /** Adds a model's probabilities: samples x classes, for the samples at these places. */
  add(places: Int32Array, probabilities: ArrayLike<number>): void
  /** What they come to. */
  judge(labels: ArrayLike<number>): Judgement
}

export interface Judgement {
  /** By sample: minus the log of the mean probability that the models give its label. The larger, the worse. */
  readonly losses: Float64Array
  /** P(the label is right). */
  readonly clean: Float64Array
  /** The label that it looks like, and how probable that is. */
  readonly suggested: Int32Array
  readonly probability: Float64Array
  /** The estimated share of wrong labels. */
  readonly level: number
  /** Whether the models tell the classes apart better than chance; if not, all of this means nothing. */
  readonly learned: boolean
  /** All samples, the most suspicious first. */
  readonly order: Int32Array
}

/** A float32 may be 0, whose logarithm is not finite. */
const LEAST = 1e-12

export function opinions(samples: number, classes: number): Opinions {
  const sums = new Float64Array(samples * classes)
  const counts = new Int32Array(samples)
  return {
    add(places, probabilities) {
      for (const [k, place] of places.entries()) {
        counts[place]! += 1
        for (let c = 0; c < classes; c++) sums[place * classes + c]! += probabilities[k * classes + c]!
      }
    },
    judge(labels) {
      const without = counts.indexOf(0)
      if (without >= 0) throw new RlviError('audit', 'an opinion on every sample is needed', without)
      const losses = new Float64Array(samples)
      const suggested = new Int32Array(samples)
      const probability = new Float64Array(samples)
      for (let i = 0; i < samples; i++) {
        const row = sums.subarray(i * classes, (i + 1) * classes)
        // The mean of the probabilities, not of their logarithms: there, one model that is too sure would decide.
        losses[i] = -Math.log(Math.max(row[labels[i]!]! / counts[i]!, LEAST))
        suggested[i] = row.indexOf(Math.max(...row))
        probability[i] = row[suggested[i]!]! / counts[i]!
      }
      const { clean, level } = calibrate(losses, classes)
      const learned = tellsApart(labels, suggested, classes)
      const order = Int32Array.from(losses.keys()).sort((a, b) => losses[b]! - losses[a]! || a - b)
      return { losses, clean, suggested, probability, level, learned, order }
    },
  }
}

/** Whether the mean over the classes of how often a label is suggested for its own samples lies well above chance. */
function tellsApart(labels: ArrayLike<number>, suggested: Int32Array, classes: number): boolean {
  const [sizes, hits] = [new Float64Array(classes), new Float64Array(classes)]
  for (const [i, guess] of suggested.entries()) {
    sizes[labels[i]!]! += 1
    if (guess === labels[i]) hits[guess]! += 1
  }
  const recalls = Array.from(sizes, (size, k) => hits[k]! / size).filter((recall) => !Number.isNaN(recall))
  const mean = recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length
  const spread = Math.sqrt((classes - 1) / classes ** 2 / suggested.length)
  return mean > 1 / classes + 2 * spread
}
