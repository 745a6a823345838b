import { root } from '../../linalg/root.js'
import type { BesideCluster } from './beside-cluster.js'
import { clusterProfile } from './cluster.js'
import { asEvidence, asValue, speaking } from './evidence.js'
import { fitWithin } from './law-fit.js'
import { MAX_LEVEL } from './masses.js'
import { MANY, type Offsets } from './offsets.js'
import { type Candidate, cellsInUse, clusterCost, costOf, DOUBT, judged } from './select.js'
import { DROP, shareInterval, withShare } from './share-interval.js'

/** Precision of the profile's values. */
const near = (offsets: Offsets): number => (offsets.rows > MANY ? asValue(offsets, 1e-3) : 1e-10)

/** Farther than so many spreads from the level no interval reaches; and so many above 0 it is not none. */
const FAR = 12
const CLEAR = 16

/** A 90 % interval for the level: all levels that some law which can be true explains about as well as it can. */
export function levelInterval(laws: readonly Candidate[]): readonly [number, number] {
  const rows = speaking(laws[0].offsets.rows)
  const doubtful = laws[0].evidence - DOUBT
  let [low, high] = [laws[0].level, laws[0].level]
  for (const law of laws) {
    const least = Math.max(law.evidence - DROP, doubtful - relief(law))
    const above = (level: number): number => profile(law, level) - least
    // The level's spread as the rows' number alone makes it.
    const spread = Math.sqrt(Math.max(law.level * (1 - law.level), 1 / rows) / rows)
    const clear = law.level > CLEAR * spread
    const none = low > 0 && law.beside === undefined && !clear && above(0) >= 0
    if (none) low = 0
    // Bounds that are only in doubt make no row bad that all other laws call good.
    if (!mayBeTrue(law, laws[0]) || (law.shape.name === 'light' && law !== laws[0])) continue
    if (law.beside !== undefined) {
      const [from, to] = besideInterval(law.beside, rows)
      low = Math.min(low, from)
      high = Math.max(high, to)
      continue
    }
    const top = law.evidence - least
    const nearest = clear ? law.level - FAR * spread : 0
    if (low > 0) low = Math.min(low, edge(above, top, law.level, nearest, spread, ends(law.offsets)))
    const far = Math.min(MAX_LEVEL, law.level + FAR * spread + 4 / rows)
    if (far > high) high = Math.max(high, edge(above, top, law.level, far, spread, ends(law.offsets)))
  }
  return [low, high]
}

/**
 * A law that is chosen has earned its parameters, half of log n each. One that may be true although it was not chosen need
 * only explain the rows better than parameters without a meaning would, by one each (Akaike).
 */
function relief({ shape, offsets: { rows }, growth }: Candidate): number {
  const more = shape.size - 1 + (growth === undefined ? 0 : 1)
  return more * Math.max(0, 0.5 * Math.log(speaking(rows)) - 1)
}

/** Whether a law is in question though another was chosen. */
export function mayBeTrue(law: Candidate, chosen: Candidate): boolean {
  return law.evidence >= chosen.evidence - DOUBT - relief(law)
}

/** The interval of the rest's level, with that of the cluster's share beside it. */
function besideInterval(
  { rest, restOffsets, cluster: { share } }: BesideCluster,
  rows: number,
): readonly [number, number] {
  const interval = levelInterval([judged(restOffsets, rest)])
  return withShare(rest.level, interval, share, shareInterval(share * rows, rows))
}

/** Evidence with the level held; a level of 0 needs no cells. */
function profile(law: Candidate, level: number): number {
  const { offsets, cluster } = law
  if (cluster !== undefined) {
    // Without bad rows it is the normal law.
    if (level > 0)
      return (
        asEvidence(offsets, clusterProfile(offsets, cluster, level)) -
        clusterCost(offsets, cluster, law.growth)
      )
    const none = fitWithin(offsets, law.shape, law.params, law.shells, near(offsets), 0)
    return asEvidence(offsets, none.value) - costOf(offsets, law, 0, law.growth)
  }
  const held = fitWithin(offsets, law.shape, law.params, law.shells, near(offsets), level)
  return asEvidence(offsets, held.value) - costOf(offsets, law, level === 0 ? 0 : cellsInUse(law), law.growth)
}

/** Precision of an interval's ends, in spreads: of few rows its last digits are not those of a stopping rule. */
const ends = ({ rows }: Offsets): number => (rows > MANY ? 0.02 : 1e-4)
/** Where an end is looked for first, in spreads. */
const FIRST = 2

/**
 * Where a profile falls below 0 on the way from its top, `inside`, to `outside`. A profile is nearly a parabola, so that the
 * root of its drop is nearly straight.
 */
function edge(
  above: (level: number) => number,
  top: number,
  inside: number,
  outside: number,
  spread: number,
  precision: number,
): number {
  if (top <= 0) return inside
  // In spreads from the level: a precision in levels would be none where many rows leave an interval narrower than it.
  const at = (spreads: number): number => inside + Math.sign(outside - inside) * spreads * spread
  const far = Math.abs(outside - inside) / spread
  const line = (value: number): number => Math.sqrt(top) - Math.sqrt(Math.max(0, top - value))
  // A level that cannot be passed may lie inside; one that is far enough off does not.
  const there = outside === 0 || outside === MAX_LEVEL ? above(outside) : -(far ** 2)
  if (there >= 0) return outside
  return at(
    root((spreads) => line(above(at(spreads))), [0, Math.sqrt(top)], [far, line(there)], FIRST, precision),
  )
}
