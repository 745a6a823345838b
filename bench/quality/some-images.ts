import { type DataSet, type ImageSet, isInMemory } from '@rlvi/vision'

/** A set of images as people have them, and which of their labels are wrong. */
export interface SomeImages {
  readonly data: DataSet
  readonly wrong: ReadonlySet<number>
}

/** So many images of each class, of those that there are to be any of, with labels by what they are, both counted from 0. */
export function someImages(
  given: DataSet,
  each: readonly number[],
  labelOf: (own: number, random: () => number) => number,
  random: () => number,
): SomeImages {
  const { test: _, train, ...rest } = given
  if (!isInMemory(train)) throw new Error('the images must be in memory')
  const size = train.pixels.length / train.labels.length
  const classes = each.flatMap((count, kind) => (count > 0 ? [kind] : []))
  const left = [...each]
  const total = each.reduce((sum, count) => sum + count, 0)
  const pixels = new Uint8Array(total * size)
  const labels = new Uint8Array(total)
  const wrong = new Set<number>()
  const seen = new Set<number>()
  for (let k = 0; k < total; ) {
    const i = Math.floor(random() * train.labels.length)
    const kind = train.labels[i]
    if (left[kind] === 0 || seen.has(i)) continue
    seen.add(i)
    left[kind]--
    pixels.set(train.pixels.subarray(i * size, (i + 1) * size), k * size)
    const own = classes.indexOf(kind)
    const label = labelOf(own, random)
    if (label !== own) wrong.add(k)
    labels[k++] = label
  }
  const chosen: ImageSet = { ...train, pixels, labels }
  return { data: { ...rest, classes: classes.map((kind) => given.classes[kind]), train: chosen }, wrong }
}

/** Of some labels any other one. */
export function anyOther(share: number, classes: number): (own: number, random: () => number) => number {
  return (own, random) => {
    const isWrong = random() < share
    const other = (own + 1 + Math.floor(random() * (classes - 1))) % classes
    return isWrong ? other : own
  }
}
