import { kthSmallest } from 'rlvi'

/** What is known of some samples beside their images: what a network predicts, and the labels that they were given. */
export interface Predicted {
  /** P(true class | image), samples x classes. */
  readonly predictions: ArrayLike<number>
  readonly labels: ArrayLike<number>
  readonly classes: number
}

/** The first of the most probable classes of a sample. */
export function likeliest(predictions: ArrayLike<number>, sample: number, classes: number): number {
  let best = 0
  for (let c = 1; c < classes; c++) {
    if (predictions[sample * classes + c] > predictions[sample * classes + best]) best = c
  }
  return best
}

/** What samples that are predicted to be of a class are called. */
interface Named {
  /** How many of them have each label. */
  readonly all: Float64Array
  /** The same of those that are predicted most surely. */
  readonly surest: Float64Array
}

/** By predicted class. `part` of each class are its surest, and at least `least` samples, or all where there are fewer. */
function namesOf({ predictions, labels, classes }: Predicted, part: number, least: number): readonly Named[] {
  const samples = labels.length
  const best = new Int32Array(samples)
  const counts = new Int32Array(classes)
  for (let i = 0; i < samples; i++) {
    best[i] = likeliest(predictions, i, classes)
    counts[best[i]]++
  }
  const sure = Array.from(counts, (count) => new Float64Array(count))
  for (let i = samples - 1; i >= 0; i--) sure[best[i]][--counts[best[i]]] = predictions[i * classes + best[i]]
  // Those that are as sure as the last of the surest are among them, so that their order decides nothing.
  const bounds = sure.map((own) => {
    const most = Math.min(own.length, Math.max(least, Math.ceil(part * own.length)))
    return own.length === 0 ? 0 : kthSmallest(own, own.length - most)
  })
  const names = sure.map(() => ({ all: new Float64Array(classes), surest: new Float64Array(classes) }))
  for (let i = 0; i < samples; i++) {
    const { all, surest } = names[best[i]]
    all[labels[i]]++
    if (predictions[i * classes + best[i]] >= bounds[best[i]]) surest[labels[i]]++
  }
  return names
}

const SUREST = 0.2
const FEW = 50
/** How often labels contradict the surest predictions, to all: below the first they are no habit, from the second on all of them are. */
const [NONE, FULL] = [0.25, 0.45]

/** Which labels are held against each other: all wrong names of a class together, or each by itself. */
export type Together = 'class' | 'name'

/**
 * The part of the labels y of samples that are predicted to be c that speaks of how labels go wrong, classes x classes. A wrong label is there whether
 * its image is clear or not, so that predictions are contradicted where they are sure nearly as often as elsewhere. Where classes
 * look alike right labels contradict the network, too, but hardly ever where it is sure: then only as many count as among the surest. To count all
 * of them would let a network give up one class for the other.
 */
export function habitShares(known: Predicted, together: Together): Float64Array {
  const { classes } = known
  const shares = new Float64Array(classes * classes).fill(1)
  for (const [c, { all, surest }] of namesOf(known, SUREST, FEW).entries()) {
    const [names, asked] = [total(all), total(surest)]
    for (let y = 0; y < classes; y++) {
      const [often, sure] = together === 'name' ? [all[y], surest[y]] : [names - all[c], asked - surest[c]]
      if (y !== c && often > 0) shares[c * classes + y] = shareOfHabit(sure / asked / (often / names))
    }
  }
  return shares
}

/** By how often the surest predictions are contradicted, to all. */
function shareOfHabit(ratio: number): number {
  const belief = Math.min(1, Math.max(0, (ratio - NONE) / (FULL - NONE)))
  return belief + (1 - belief) * Math.min(1, ratio)
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The share of labels that the surest predictions contradict, by how many are predicted to be of each class. */
export function surestLevel(known: Predicted, part: number): number {
  const wrong = namesOf(known, part, 1).map(({ all, surest }, c) => {
    const asked = total(surest)
    return asked === 0 ? 0 : (total(all) * (asked - surest[c])) / asked
  })
  return wrong.reduce((sum, count) => sum + count, 0) / known.labels.length
}
