import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Caution } from '../../result.js'
import type { Laws } from '../laws/good-rows.js'
import { badLeverage, type Leverage } from './leverage.js'

/** A row of less P(good) is bad for certain. */
const BAD = 0.01

/**
 * Bad leverage points that other bad rows hide. These widen the scale of the rows by which leverage points are judged, above
 * all in few rows: once they are known, leverage points are judged again without them. Undefined where that changes nothing.
 */
export function unmaskedLeverage<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  before: Leverage<P>,
  clean: Float64Array,
  seed: number,
  laws: Laws,
): Leverage<P> | undefined {
  // Without leverage points there is nothing to hide.
  if (!isRegression(likelihood) || before.found === undefined) return undefined
  const kept = Array.from(clean.keys()).filter((i) => before.bad.has(i) || clean[i] >= BAD)
  if (kept.length === clean.length) return undefined
  const after = badLeverage(likelihood, likelihood.take(data, kept), seed, laws)
  const bad = new Map([...after.bad].map(([i, times]) => [kept[i], times]))
  for (const [i, times] of before.bad) bad.set(i, Math.max(times, bad.get(i) ?? 0))
  const unmasked = bad.size - before.bad.size
  if (unmasked === 0) return undefined
  const groups = after.groups.map((group) => ({ ...group, rows: group.rows.map((i) => kept[i]) }))
  const doubtful = after.doubtful?.map((i) => kept[i])
  return { ...before, bad, groups, unmasked, doubtful, beside: undefined }
}

/** What is to be told of them. */
export function ofUnmasked(count: number): Caution {
  const rows = count === 1 ? '1 row' : `${count} rows`
  const [lies, contradicts, counts, them] =
    count === 1 ? ['lies', 'contradicts', 'counts', 'it'] : ['lie', 'contradict', 'count', 'them']
  const message = `${rows} that ${lies} far out in the features ${contradicts} the others only where other bad rows are left out, and ${counts} as bad: with ${them} the coefficients would be quite different; look at such rows first`
  return { about: 'leverage', message }
}
