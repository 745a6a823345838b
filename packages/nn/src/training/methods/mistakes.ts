import { kthSmallest } from 'rlvi'
import { likeliest, type Predicted } from './surest.js'

/** The part of all samples that a network is surest of. */
const SUREST = 0.3

/**
 * The share of the labels that a network contradicts because it is mistaken, and not because they are wrong, as far as that can be told: the less of two
 * shares, each of which wrong labels of some kind are part of, too.
 *
 * - What it contradicts of all labels more often than of those that it is surest of. Wrong labels are there whether an image is clear or not.
 *   Where only some classes have them, though, it is never sure of these.
 * - What it mistakes both ways, one class for another as often as that for the first. Wrong labels often go one way, mistakes hardly ever do. Where they go
 *   everywhere, though, they go both ways.
 */
export function mistakenShare({ predictions, labels, classes }: Predicted): number {
  const n = labels.length
  if (n === 0) return 0
  const sure = new Float64Array(n)
  const isWrong = new Uint8Array(n)
  /** How many are predicted to be of one class and called another. */
  const called = new Int32Array(classes * classes)
  for (let i = 0; i < n; i++) {
    const best = likeliest(predictions, i, classes)
    sure[i] = predictions[i * classes + best]
    if (labels[i] === best) continue
    isWrong[i] = 1
    called[best * classes + labels[i]]++
  }
  // Those that are as sure as the last of the surest are among them, so that their order decides nothing.
  const bound = kthSmallest(sure, n - Math.ceil(SUREST * n))
  let [wrong, asked, contradicted] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    wrong += isWrong[i]
    if (sure[i] < bound) continue
    asked++
    contradicted += isWrong[i]
  }
  let bothWays = 0
  for (let c = 0; c < classes; c++) {
    for (let y = 0; y < c; y++) bothWays += 2 * Math.min(called[c * classes + y], called[y * classes + c])
  }
  return Math.max(0, Math.min(wrong / n - contradicted / asked, bothWays / n))
}
