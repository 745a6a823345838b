import { rowVector } from '../../matrix.js'
import type { ClusterFit } from './cluster.js'
import { asValue } from './evidence.js'
import { fitWithin, goodProbabilities, type LawFit, logDensities } from './law-fit.js'
import type { Offsets } from './offsets.js'
import { cellsIn, densitiesOf } from './shells.js'

/** Any law with its shells, and a cluster of bad rows beside them. */
export interface BesideCluster {
  /** The rows that are not in the cluster. */
  readonly rest: LawFit
  readonly restOffsets: Offsets
  readonly cluster: Pick<ClusterFit, 'centre' | 'width' | 'share'>
  readonly level: number
  /** Restricted log-likelihood of all rows. */
  readonly value: number
}

const ROUNDS = 15
const STILL = 1e-3
const ROUGH = 1e-4
/** Of the core's radius: how narrow and how wide a cluster may be. */
const WIDTHS = [0.05, 0.5] as const

/**
 * EM in two blocks, the cluster and all else, from a law without a cluster and a cluster beside another law. Undefined where
 * there is no such cluster, or where it could not reach the `least` value that matters even if it went on gaining as much.
 */
export function besideCluster(
  offsets: Offsets,
  law: LawFit,
  from: BesideCluster['cluster'],
  least: number = Number.NEGATIVE_INFINITY,
): BesideCluster | undefined {
  const { values, counts, rows } = offsets
  let cluster = from
  let rest = law
  let value = Number.NEGATIVE_INFINITY
  let restOffsets = offsets
  for (let round = 0; round < ROUNDS; round++) {
    const others = densitiesBeside(rest, values)
    const left = new Float64Array(values.length)
    let [next, own, sum] = [offsets.degreesOfFreedom * rest.params[0], 0, 0]
    const inside = new Float64Array(values.length)
    for (let i = 0; i < values.length; i++) {
      const here = cluster.share * normal(values[i], cluster.centre, cluster.width)
      const all = Math.max(here + (1 - cluster.share) * others[i], 1e-300)
      next += counts[i] * Math.log(all)
      inside[i] = (counts[i] * here) / all
      left[i] = counts[i] - inside[i]
      own += inside[i]
      sum += inside[i] * values[i]
    }
    if (!(own > 2)) return undefined
    const centre = sum / own
    let spread = 0
    for (let i = 0; i < values.length; i++) spread += inside[i] * (values[i] - centre) ** 2
    const radius = rest.shells.unit
    const width = Math.min(WIDTHS[1] * radius, Math.max(WIDTHS[0] * radius, Math.sqrt(spread / own)))
    const gain = next - value
    value = next
    if (round > 0 && gain < asValue(offsets, STILL)) break
    if (round > 1 && value + gain * (ROUNDS - round) < least) return undefined
    cluster = { centre, width, share: own / rows }
    restOffsets = { ...offsets, counts: left, rows: rows - own }
    rest = fitWithin(restOffsets, law.shape, rest.params, law.shells, asValue(offsets, ROUGH))
  }
  const level = cluster.share + (1 - cluster.share) * rest.level
  return level > 0.5 ? undefined : { rest, restOffsets, cluster, level, value }
}

/** P(good) of offsets. */
export function goodBeside({ rest, cluster }: BesideCluster, values: Float64Array): Float64Array {
  const others = densitiesBeside(rest, values)
  const good = goodProbabilities(rest, values)
  return values.map((value, i) => {
    const here = cluster.share * normal(value, cluster.centre, cluster.width)
    const elsewhere = (1 - cluster.share) * others[i]
    return elsewhere > 0 ? (good[i] * elsewhere) / (here + elsewhere) : 0
  })
}

/** Density of rows that are not in the cluster, good ones and bad ones. */
export function densitiesBeside(
  { shape, params, shells, level, masses }: LawFit,
  values: Float64Array,
): Float64Array {
  const out = rowVector(values.length)
  const bad = densitiesOf(shells, masses)
  const cell = cellsIn(shells)
  logDensities(values, shells.dimension, shape, params, out)
  for (let i = 0; i < out.length; i++) out[i] = (1 - level) * Math.exp(out[i]) + bad[cell(values[i])]
  return out
}

function normal(value: number, centre: number, width: number): number {
  return Math.exp(-0.5 * ((value - centre) / width) ** 2) / (width * Math.sqrt(2 * Math.PI))
}
