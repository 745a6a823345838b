import { kthSmallest } from '../../linalg/kth-smallest.js'
import { levelInterval, mayBeTrue } from './level.js'
import type { Candidate } from './select.js'
import { degreesOfFreedom } from './shape.js'

/** A law of good rows has at least 2.5 degrees of freedom: nearer to that than this its tails may be heavier than it can say. */
const HEAVY = 3
/** How far out rows are looked at, in median distances, and by how many standard errors their share may be chance. */
const REACHES = [5, 10, 20, 40, 80, 160, 320]
const CHANCE = 1.645

/** Whether good rows have tails as heavy as a law of good rows may have, under the first of some laws or one that may be true as well. */
export function areHeavy(laws: readonly Candidate[]): boolean {
  return laws.some((law) => isHeavy(law) && mayBeTrue(law, laws[0]))
}

/** Of residuals: the distances of several columns have long tails for other reasons, too, as where columns go together. */
function isHeavy({ shape, params, offsets }: Candidate): boolean {
  return offsets.signed && shape.name.endsWith('student') && degreesOfFreedom(params[1]) < HEAVY
}

/** Up to which level a normal law would call rows bad: what tails so heavy explain may as well be bad rows beside one. */
export function underNormal(laws: readonly Candidate[]): number {
  const normal = laws.filter(({ shape }) => shape.name === 'normal')
  return Math.max(0, ...normal.map((law) => levelInterval([law])[1]))
}

/**
 * The least share of bad rows that even tails of a Cauchy law leave: by how much more of the rows lie beyond some distance than
 * it would have there, by its quartiles.
 */
export function beyondCauchy(offsets: Float64Array): number {
  const far = offsets.map(Math.abs)
  const n = far.length
  const middle = kthSmallest(far, n >> 1)
  let least = 0
  for (const reach of REACHES) {
    const beyond = far.reduce((count, off) => (off > reach * middle ? count + 1 : count), 0) / n
    const good = (2 / Math.PI) * Math.atan(1 / reach)
    const chance = CHANCE * Math.sqrt((beyond * (1 - beyond)) / n)
    least = Math.max(least, (beyond - chance - good) / (1 - good))
  }
  return least
}
