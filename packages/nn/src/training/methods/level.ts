import { FEWEST_LABELS, leastLevel } from './held-out-level.js'
import { around } from './share-interval.js'
import { type Predicted, surestLevel } from './surest.js'
import { type TrueLabelOptions, trueLabels } from './true-label.js'

/** The share of wrong labels, and what it may be, where that is known. */
export interface Level {
  readonly level: number
  readonly interval: readonly [number, number] | undefined
}

/** The part of each predicted class that a network is surest of, where its own mistakes hardly count; more where that is too few labels. */
const SUREST = 0.2
const FEW = 500

/**
 * The share of wrong labels from two sides. Of the labels that were learned from, some wrong ones are known by heart, so that too few are
 * found (`learned`). Of held-out labels, right ones that the network contradicts by mistake count as wrong. The truth is taken to be in the
 * middle. The interval reaches from one to the other, to what the surest of the held-out predictions say, of each class and of all, and as far as chance goes in so few labels. With
 * fewer than ten held-out labels of a class, on average, they say nothing.
 */
export function levelOf(learned: number, heldOut: Predicted, options: TrueLabelOptions): Level {
  const n = heldOut.labels.length
  if (n < FEWEST_LABELS * heldOut.classes) return { level: learned, interval: undefined }
  const contradicted = trueLabels(heldOut, options).level
  const part = Math.min(1, Math.max(SUREST, FEW / n))
  const sides = [...around(contradicted, n), ...around(surestLevel(heldOut, part), part * n)]
  const ends = [learned, leastLevel(heldOut), ...sides]
  return {
    level: (learned + contradicted) / 2,
    interval: [Math.max(0, Math.min(...ends)), Math.min(1, Math.max(...ends))],
  }
}
