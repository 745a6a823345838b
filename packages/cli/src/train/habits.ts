import type { Habit } from '@rlvi/estimator'

/** How labels go wrong, by the names of the classes: P(label | true class), a row for each true class, a column for each label. */
export interface HabitMatrix {
  readonly classes: readonly string[]
  readonly shares: readonly (readonly number[])[]
}

export function habitMatrix(values: ArrayLike<number>, classes: readonly string[]): HabitMatrix {
  const k = classes.length
  return { classes, shares: classes.map((_, c) => classes.map((__, y) => values[c * k + y]!)) }
}

/** Shares up to this are not worth a word. */
const RARE = 0.005

/** Which classes are taken for which, the most frequent first. */
export function habitsOf({ classes, shares }: HabitMatrix): Habit[] {
  return classes
    .flatMap((truth, c) => classes.map((label, y) => ({ truth, label, share: c === y ? 0 : shares[c]![y]! })))
    .filter(({ share }) => share > RARE)
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
