/** How labels go wrong, by the names of the classes. */
export interface Transition {
  readonly classes: readonly string[]
  /** P(label | true class): a row for each true class, a column for each label. */
  readonly shares: readonly (readonly number[])[]
}

export function transitionOf(values: ArrayLike<number>, classes: readonly string[]): Transition {
  const k = classes.length
  return { classes, shares: classes.map((_, c) => classes.map((__, y) => values[c * k + y]!)) }
}

/** A class that gets the label of another, and how often. */
export interface Mistake {
  readonly of: string
  readonly label: string
  readonly share: number
}

/** Rarer ones are not worth a word. */
const RARE = 0.005

/** Which classes are taken for which, the most frequent first. */
export function mistakesOf({ classes, shares }: Transition): Mistake[] {
  return classes
    .flatMap((of, c) => classes.map((label, y) => ({ of, label, share: c === y ? 0 : shares[c]![y]! })))
    .filter(({ share }) => share >= RARE)
    .sort((a, b) => b.share - a.share)
}

/** Beyond this share of wrong labels there may be more of a wrong one than of the right one. */
const HALF = 0.5

/** What to say where so many labels seem wrong that nothing can tell them from the right ones. */
export function beyondHalf(level: number | undefined): readonly string[] {
  if (level === undefined || level <= HALF) return []
  const share = `${(100 * level).toFixed(0)} %`
  return [
    `an estimated ${share} of the labels are wrong; beyond one half no method can tell wrong labels from right ones, ` +
      'since a wrong one may be the more frequent: look at some images of each class',
  ]
}
