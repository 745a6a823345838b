import { likeliest, type Predicted } from './surest.js'

/** A class most of whose images are taken for another one. */
export interface GivenUp {
  readonly label: number
  /** What they are taken for. */
  readonly like: number
}

/** Fewer labels of a class may be contradicted by chance. */
const FEWEST = 10
/** The share of a class's labels below which hardly any is repeated by the network. */
const HARDLY_ANY = 0.05

/**
 * Classes that a network has given up for another: most images with such a label are taken for one other class, and yet the labels count as right
 * (`clean`, P(the label is right)), as those of classes that look alike do; or hardly any image is taken for it, so that all of its labels count as wrong.
 * Where most images of a class have the same wrong label, both are seen, too, and nobody can tell which of the two it is.
 */
export function givenUp(
  { predictions, labels, classes }: Predicted,
  clean: ArrayLike<number>,
): readonly GivenUp[] {
  const counts = new Int32Array(classes)
  const takenFor = new Int32Array(classes * classes)
  const believed = new Int32Array(classes * classes)
  for (let i = 0; i < labels.length; i++) {
    const pair = labels[i] * classes + likeliest(predictions, i, classes)
    counts[labels[i]]++
    takenFor[pair]++
    if (clean[i] >= 1 / 2) believed[pair]++
  }
  return Array.from(counts, (count, label): readonly GivenUp[] => {
    const from = label * classes
    const own = takenFor.subarray(from, from + classes)
    const like = own.indexOf(Math.max(...own))
    if (count < FEWEST || like === label || own[like] <= count / 2) return []
    return believed[from + like] > count / 2 || own[label] < HARDLY_ANY * count ? [{ label, like }] : []
  }).flat()
}
