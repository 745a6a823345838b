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
 * Whether `posterior` has learned labels as they are given for long enough, after some of the epochs: a tenth of them, at least three. In few images
 * that is too short; there it goes on until less than a tenth of the labels are contradicted by mistake (`mistakenShare`), or until 100,000 images were
 * shown, but for half of the epochs at most, and a third with fewer than 100 images of each class. Of two classes it does not go on: wrong labels of both go
 * both ways, as mistakes do, and are soon known by heart. With fewer than 10 of each class it does not end.
 */
export function isWarm(known: Predicted, done: number, epochs: number): boolean {
  const samples = known.labels.length
  if (samples < FEWEST * known.classes) return false
  if (done < Math.max(3, Math.round(epochs / 10))) return false
  if (known.classes < 3) return true
  const longest = Math.floor(epochs / (samples < FEW * known.classes ? 3 : 2))
  return done >= Math.min(Math.ceil(SHOWN / samples), longest) || mistakenShare(known) < MISTAKEN
}
