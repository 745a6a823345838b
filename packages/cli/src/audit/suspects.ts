import type { Habit, TableCaution } from '@rlvi/estimator'
import type { HabitMatrix } from '../train/habits.js'

/** A sample whose label may be wrong. */
export interface Suspect {
  /** Its number in the data, from 1. */
  readonly row: number
  readonly file?: string
  /** As the data have it: a number where the target is one that is measured or counted. */
  readonly label: string | number
  /** The label that it looks like, and how probable that is; of numbers the one that was to be expected. */
  readonly suggested: string | number
  readonly probability?: number
  /** P(the label is right). */
  readonly clean: number
  readonly loss: number
}

/** What an audit found: all samples, the most suspicious first. */
export interface Findings {
  readonly name: string
  /** How it was found, in a few words. */
  readonly how: string
  readonly suspects: readonly Suspect[]
  /** Labels that are more probably wrong than right. */
  readonly flagged: number
  /** The estimated share of wrong labels. */
  readonly level: number | undefined
  /** Where that share lies with a probability of 90 %, where the method says so. */
  readonly interval?: readonly [number, number] | undefined
  /** Which labels are taken for which, where wrong ones have habits. */
  readonly habits?: readonly Habit[] | undefined
  /** Of images: all shares of which these are the large ones. */
  readonly matrix?: HabitMatrix
  /** What speaks against taking the findings at their word. */
  readonly cautions: readonly TableCaution[]
  /** What else a person should know, as it was remarked on the way. */
  readonly remarks: readonly string[]
  /** Image files that could not be read: they have no score, but they are a finding. */
  readonly unreadable: readonly Unreadable[]
  /** Of a table: its other columns, and what a row holds in them. */
  readonly values?: Values
  readonly seconds: number
}

/** The columns of a table beside the label. */
export interface Values {
  readonly names: readonly string[]
  of(suspect: Suspect): readonly string[]
}

/** An image file that could not be read. */
export interface Unreadable {
  readonly file: string
  readonly label: string
  readonly reason: string
}

/** Those that are worth a look, worst first, at most `top`: nobody is shown what nobody suspects. */
export function worthALook({ suspects }: Findings, top: number): Suspect[] {
  return suspects.filter(isSuspected).slice(0, top)
}

/** Whether a label looks like another one, or is more probably wrong than right, which is all that can be said of numbers. */
export function isSuspected({ label, suggested, probability, clean }: Suspect): boolean {
  return (probability !== undefined && label !== suggested) || clean < 0.5
}

/** How often a label looks like another, the most frequent first. */
export interface Pair {
  readonly label: string
  readonly suggested: string
  readonly count: number
}

/** Which labels are taken for which, among the suspects. */
export function pairsOf(found: Findings): Pair[] {
  const counts = new Map<string, Pair>()
  if (!isOfLabels(found)) return []
  for (const suspect of found.suspects) {
    const [label, suggested] = [String(suspect.label), String(suspect.suggested)]
    if (label === suggested) continue
    const key = JSON.stringify([label, suggested])
    counts.set(key, { label, suggested, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}

/** How many labels look like another one, how many are wrong rather than right, and how many are estimated to be. */
export function summaryOf(found: Findings): string {
  const { suspects, flagged } = found
  const { length } = suspects
  if (!isOfLabels(found))
    return `${flagged} of ${length} numbers are more probably wrong than right${levelText(found)}`
  return `${contradicted(found)} of ${length} labels look like another; ${flagged} are more probably wrong than right${levelText(found)}`
}

function levelText({ level, interval }: Findings): string {
  if (level === undefined) return ''
  const wrong = `, an estimated ${shareText(level)} are wrong`
  if (interval === undefined) return wrong
  const [low, high] = interval
  const none = level > 0 && low <= 0 ? ', perhaps none' : ''
  return `${wrong}${none} (90 % interval ${shareText(low)} to ${shareText(high)})`
}

/** Whether labels were judged, or numbers. */
export function isOfLabels({ suspects }: Pick<Findings, 'suspects'>): boolean {
  return suspects[0]?.probability !== undefined
}

/** How many labels look like another one. */
export function contradicted({ suspects }: Findings): number {
  return suspects.filter(({ label, suggested }) => label !== suggested).length
}

/** A share in percent, as text and page have it. */
export function shareText(share: number): string {
  const percent = 100 * share
  return `${percent === 0 || percent >= 99.5 ? percent.toFixed(0) : percent.toPrecision(2)} %`
}
