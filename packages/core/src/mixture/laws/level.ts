import { root } from '../../linalg/root.js'
import type { BesideCluster } from './beside-cluster.js'
import { clusterProfile } from './cluster.js'
import { fitWithin } from './law-fit.js'
import { MAX_LEVEL } from './masses.js'
import { type Candidate, cellsInUse, clusterCost, costOf, judged } from './select.js'
import { DROP, shareInterval } from './share-interval.js'

/** Precision of the profile's values. */
const NEAR = 1e-3

/** Laws with so much less evidence than the best one can still be true: one against twenty. */
export const DOUBT = 3

/** A 90 % interval for the level: all levels that some law which can be true explains about as well as it can. */
export function levelInterval(laws: readonly Candidate[]): readonly [number, number] {
  const { rows } = laws[0].offsets
  const doubtful = laws[0].evidence - DOUBT
  let [low, high] = [laws[0].level, laws[0].level]
  for (const law of laws) {
    const least = Math.max(law.evidence - DROP, doubtful)
    const above = (level: number): number => profile(law, level) - least
    const none = low > 0 && law.beside === undefined && above(0) >= 0
    if (none) low = 0
    if (law.evidence < doubtful) continue
    if (law.beside !== undefined) {
      const [from, to] = besideInterval(law.beside, rows)
      low = Math.min(low, from)
      high = Math.max(high, to)
      continue
    }
    if (low > 0) low = Math.min(low, edge(above, 0, law.level))
    // The level's spread as the rows' number alone makes it.
    const spread = Math.sqrt(Math.max(law.level * (1 - law.level), 1 / rows) / rows)
    const far = Math.min(MAX_LEVEL, law.level + 12 * spread + 4 / rows)
    if (far > high) high = Math.max(high, edge(above, far, law.level))
  }
  return [low, high]
}

/** The interval of the rest's level, with that of the cluster's share beside it. */
function besideInterval(
  { rest, restOffsets, cluster, level }: BesideCluster,
  rows: number,
): readonly [number, number] {
  const [low, high] = levelInterval([judged(restOffsets, rest)])
  const [from, to] = shareInterval(cluster.share * rows, rows)
  const others = 1 - cluster.share
  return [
    Math.max(0, level - Math.hypot(others * (rest.level - low), cluster.share - from)),
    level + Math.hypot(others * (high - rest.level), to - cluster.share),
  ]
}

/** Evidence with the level held; a level of 0 needs no cells. */
function profile(law: Candidate, level: number): number {
  const { offsets, cluster } = law
  if (cluster !== undefined) {
    // Without bad rows it is the normal law.
    if (level > 0) return clusterProfile(offsets, cluster, level) - clusterCost(offsets, cluster, law.growth)
    const none = fitWithin(offsets, law.shape, law.params, law.shells, NEAR, 0)
    return none.value - costOf(offsets, law, 0, law.growth)
  }
  const held = fitWithin(offsets, law.shape, law.params, law.shells, NEAR, level)
  return held.value - costOf(offsets, law, level === 0 ? 0 : cellsInUse(law), law.growth)
}

/** Where a profile falls below 0 on the way from `inside` to `outside`. */
function edge(above: (level: number) => number, outside: number, inside: number): number {
  if (above(outside) >= 0) return outside
  return outside < inside
    ? root((level) => -above(level), outside, inside, Number.NaN, 1e-4)
    : root(above, inside, outside, Number.NaN, 1e-4)
}
