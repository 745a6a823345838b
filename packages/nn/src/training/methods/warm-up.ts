import type { EpochMetrics } from '../metrics.js'
import { mistakenShare } from './mistakes.js'
import type { Predicted } from './surest.js'

/**
 * With fewer images of a class, on average, nobody can tell how classes are mistaken for each other: one that is hard to learn would go over to another
 * for good.
 */
const FEWEST = 10
/** Fewer images of a class, on average, are soon known by heart. */
const FEW = 100
/** A network that was shown so many images tells classes apart. */
const SHOWN = 100_000
/** With as many mistakes T would count them as wrong labels, and classes that look alike would become one. */
const MISTAKEN = 0.1

/**
 * Whether `posterior` has learned labels as they are given for long enough, before an epoch begins: for a tenth of all epochs, at least three. In few
 * images that is too short; there it goes on until less than a tenth of the labels are contradicted by mistake (`mistakenShare`), or until 100,000 images
 * were shown, but for half of the epochs at most, and a third with fewer than 100 images of each class. Of two classes wrong labels go both ways, as mistakes
 * do: there it goes on until labels that were shown are repeated more often than held-out ones ever were, for a third at most. With fewer than 10 of each
 * class it does not end.
 */
export function isWarm(known: Predicted, history: readonly Learned[], epochs: number): boolean {
  const { classes, labels } = known
  const samples = labels.length
  if (samples < FEWEST * classes) return false
  const done = history.length
  if (done < Math.max(3, Math.round(epochs / 10))) return false
  const longest = Math.floor(epochs / (classes < 3 || samples < FEW * classes ? 3 : 2))
  if (done >= Math.min(Math.ceil(SHOWN / samples), longest)) return true
  return classes < 3 ? isKnownByHeart(history) : mistakenShare(known) < MISTAKEN
}

/** Shares of labels that a network has repeated: of those that it was shown, before it was, and of held-out ones. */
type Learned = Pick<EpochMetrics, 'train' | 'validation'>

function isKnownByHeart(history: readonly Learned[]): boolean {
  return history.at(-1)!.train > Math.max(...history.map(({ validation = 0 }) => validation))
}
