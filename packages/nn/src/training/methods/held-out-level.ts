import { kthSmallest } from 'rlvi'
import { around, REACH } from './share-interval.js'
import { likeliest, type Predicted, surestLevel } from './surest.js'

/** The part of all samples that a network is surest of. */
const SUREST = 0.3
/** Of a class that has fewer of them nothing is known. */
const FEWEST = 5

/**
 * What share of the labels is wrong at least, as far as chance allows (the lower end of a 90 % interval), by predictions of a network that has not learned
 * these labels: what contradicts it among the predictions that it is surest of. A class that it is hardly ever sure of may have no wrong labels at all,
 * and one that it contradicts more often than the middle one of the classes may have been given for another, so that the middle one counts there.
 */
export function leastLevel({ predictions, labels, classes }: Predicted): number {
  const n = labels.length
  const best = Int32Array.from({ length: n }, (_, i) => likeliest(predictions, i, classes))
  const sure = Float64Array.from(best, (c, i) => predictions[i * classes + c])
  const bound = n === 0 ? 0 : kthSmallest(sure, n - Math.ceil(SUREST * n))
  const [all, asked, wrong] = [new Int32Array(classes), new Int32Array(classes), new Int32Array(classes)]
  for (let i = 0; i < n; i++) {
    all[best[i]]++
    if (sure[i] < bound) continue
    asked[best[i]]++
    if (labels[i] !== best[i]) wrong[best[i]]++
  }
  const shares = Float64Array.from(asked, (count, c) => (count < FEWEST ? 0 : wrong[c] / count))
  const middle = shares.toSorted()[(classes - 1) >> 1]
  let least = 0
  let variance = 0
  for (let c = 0; c < classes; c++) {
    if (asked[c] < FEWEST) continue
    const part = all[c] / n
    // Of the share itself the variance would be 0 where none is wrong.
    const share = (wrong[c] + 1) / (asked[c] + 2)
    least += part * Math.min(shares[c], middle)
    variance += (part ** 2 * share * (1 - share)) / asked[c]
  }
  return Math.max(0, least - REACH * Math.sqrt(variance))
}

/** Fewer held-out labels of a class, on average, say nothing of how many are wrong. */
export const FEWEST_LABELS = 10

/**
 * Between which the share of wrong labels lies, by predictions of networks that have not learned these labels: from what the surest of them
 * contradict to all that is contradicted, much of which may be mistakes of theirs. Undefined with fewer than ten labels of a class, on average.
 */
export function heldOutInterval(known: Predicted): [number, number] | undefined {
  const n = known.labels.length
  if (n < FEWEST_LABELS * known.classes) return undefined
  const contradicted = surestLevel(known, 1)
  return [leastLevel(known), Math.min(1, around(contradicted, n)[1])]
}
