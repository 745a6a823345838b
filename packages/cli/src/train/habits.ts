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
