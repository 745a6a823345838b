import type { Caution, Corruption } from '../../../result.js'
import { type Explanation, hasSignal } from './evidence.js'

/** With fewer rows for each coefficient the level leans on the prior. */
export const ROWS_PER_PARAMETER = 10

/** From this share of wrong labels on, the level comes out too low: by .03 to .04 at .4, on sets whose truth is known. */
const MANY_WRONG = 0.3

/** A level of at least this many that may as well be none is told. */
const MAY_BE_NONE = 0.05

/** The cautions, if there are any. */
export function withLevelCaution(
  { level = 0, interval }: Corruption,
  cautions: readonly Caution[],
): { readonly cautions?: readonly Caution[] } {
  const percent = (share: number): string => `${Math.round(100 * share)} %`
  const message = cautions.some(({ about }) => about === 'level')
    ? undefined
    : interval?.[0] === 0 && level >= MAY_BE_NONE
      ? `wrong labels and a soft border look alike here: any share of wrong ones from 0 to ${percent(interval[1])} explains these labels`
      : level >= MANY_WRONG
        ? `with ${percent(level)} of the labels wrong, noise at a border looks much like a soft one: the share may be some hundredths larger than that`
        : undefined
  const all = message === undefined ? cautions : [...cautions, { about: 'level' as const, message }]
  return all.length === 0 ? {} : { cautions: all }
}

/** What is to be told where coefficients are many. */
export function manyFeatures(
  n: number,
  parameters: number,
  how = 'is hard to tell, and the level may be wrong',
): readonly Caution[] {
  if (n >= ROWS_PER_PARAMETER * parameters) return []
  const message = `${n} rows for ${Math.round(parameters)} coefficients: how many labels are wrong ${how}; use fewer features or more rows`
  return [{ about: 'features', message }]
}

/** One against twenty, in log evidence. */
export const CLEARLY = 3

export const LITTLE_SIGNAL: Caution = {
  about: 'level',
  message:
    'the features hardly tell the labels apart: labels that are right look like labels given at random, and how many are wrong cannot be told',
}

/** Labels that the features do not clearly speak of: any share of them may be wrong. */
export function littleSignal<P>(explanations: readonly Explanation<P>[]): readonly Caution[] {
  const bestOf = (signal: boolean): number =>
    explanations
      .filter((e) => hasSignal(e) === signal)
      .reduce((best, { logEvidence }) => Math.max(best, logEvidence), Number.NEGATIVE_INFINITY)
  return bestOf(false) < bestOf(true) - CLEARLY ? [] : [LITTLE_SIGNAL]
}
