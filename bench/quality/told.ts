import type { BadFrom } from 'rlvi'

/** An interval of the share of bad rows, beside the truth. */
export interface Judged {
  readonly low: number
  readonly high: number
  readonly truth: number
  /** Of all rows: bad ones that lie farther off than the command says that it can see. */
  readonly beyond: number
  readonly cautioned: boolean
}

export const holds = ({ low, high, truth }: Pick<Judged, 'low' | 'high' | 'truth'>): boolean =>
  low <= truth + 1e-9 && high >= truth - 1e-9

/**
 * Whether the line "rows count as bad from about X on" says why an interval ends below the truth: it holds the share of the bad rows that lie beyond X, and those
 * that are missing lie nearer. An interval that begins above the truth is told by nothing.
 */
export const isTold = ({ low, high, truth, beyond }: Judged): boolean =>
  low <= truth + 1e-9 && high >= beyond - 1e-9

/** An interval that misses the truth, with no caution, and not as the line says. */
export const isSilent = (judged: Judged): boolean => !holds(judged) && !judged.cautioned && !isTold(judged)

/** Of all rows, how many are bad and lie beyond; `errors` are those of bad rows from what is true, in units of the response. */
export function shareBeyond(errors: readonly number[], badFrom: BadFrom | undefined, rows: number): number {
  if (badFrom === undefined) return errors.length / rows
  const [above, below] =
    'distance' in badFrom
      ? [badFrom.distance, badFrom.distance]
      : [badFrom.above ?? Number.POSITIVE_INFINITY, badFrom.below ?? Number.POSITIVE_INFINITY]
  return errors.filter((error) => error > above || error < -below).length / rows
}
