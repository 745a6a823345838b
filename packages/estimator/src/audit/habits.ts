import { type Matrix, show } from 'rlvi'

/** How often rows of one class are labelled as another. */
export interface Habit {
  /** The true class. */
  readonly truth: string
  /** The class that they are labelled as. */
  readonly label: string
  /** Of all rows of the true class. */
  readonly share: number
}

/** A habit is more than chance would do: so many times the share that wrong labels would have if all were alike. */
const MORE = 1.25
/** Shares below this are not worth a word. */
const LEAST = 0.005
const MOST_SAID = 4

/** Which classes are taken for which, the most frequent first: P(given label | true label) in the table's own names. */
export function namedHabits(habits: Matrix, classes: readonly string[]): Habit[] {
  const K = habits.cols
  let wrong = 0
  for (let c = 0; c < K; c++) wrong += (1 - habits.values[c * K + c]!) / K
  const least = Math.max((MORE * wrong) / (K - 1), LEAST)
  return Array.from(habits.values.keys())
    .filter((k) => k % (K + 1) !== 0 && habits.values[k]! >= least)
    .map((k) => ({
      truth: classes[Math.floor(k / K)]!,
      label: classes[k % K]!,
      share: habits.values[k]!,
    }))
    .sort((a, b) => b.share - a.share)
}

/** One line for people. */
export function habitsRemark(habits: readonly Habit[]): string | undefined {
  if (habits.length === 0) return undefined
  const said = habits
    .slice(0, MOST_SAID)
    .map(({ truth, label, share }) => `${show(truth)} labelled as ${show(label)}: ${percent(share)}`)
  const more = habits.length > MOST_SAID ? [`and ${habits.length - MOST_SAID} more`] : []
  return `wrong labels have habits: ${[...said, ...more].join(', ')}`
}

function percent(share: number): string {
  const value = 100 * share
  return `${value < 10 ? Number(value.toFixed(1)) : value.toFixed(0)} %`
}

/** P(true class) of a row of the given label, in place of P(class) by its features alone. */
export function throughHabits(p: Float64Array, given: number, habits: Matrix): Float64Array {
  const joint = p.map((own, c) => own * habits.values[c * habits.cols + given]!)
  const sum = joint.reduce((a, b) => a + b, 0)
  return sum > 0 ? joint.map((value) => value / sum) : p
}
