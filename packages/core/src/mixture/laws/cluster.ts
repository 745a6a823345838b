import { fixedPoint, type Step } from '../../linalg/fixed-point.js'
import { rowVector } from '../../matrix.js'
import { asValue } from './evidence.js'
import { byCell, type Cells, cellsOf, MAX_LEVEL } from './masses.js'
import { MANY, type Offsets } from './offsets.js'
import { CELLS, cellOf, cellsIn, densitiesOf, logVolume, type Shells } from './shells.js'

/**
 * Bad residuals that lie together: a normal cluster to one side of normal good rows, and shells for bad rows elsewhere.
 * Shells alone would continue a cluster that reaches into the shoulder of the good rows through all of their core, or not at
 * all.
 */
export interface ClusterFit {
  /** log scale of the good rows. */
  readonly params: Float64Array
  readonly shells: Shells
  /** Where the good rows lie: the fit that the cluster pulled at puts them off 0. */
  readonly middle: number
  readonly centre: number
  readonly width: number
  /** Share of rows in the cluster. */
  readonly share: number
  readonly masses: Float64Array
  /** Share of bad rows, in the cluster and elsewhere. */
  readonly level: number
  /** Restricted log-likelihood. */
  readonly value: number
}

interface Steps {
  readonly iterations: number
  readonly tolerance: number
}

type Start = Pick<ClusterFit, 'params' | 'middle' | 'centre' | 'width' | 'share' | 'masses'>

/** Where clusters are looked for: distance from the model, in scales, and share of the rows. */
const DISTANCES = [2.5, 3.5, 5, 8]
const SHARES = [0.05, 0.2]
/** A cluster that reaches into the good rows has moved them off, and widened them: there the outermost share of a side is one. */
const SPLITS = [0.1, 0.2, 0.3]
/** The outermost of fewer rows than this are seldom one; clean small sets would pay for the look. */
const FEWEST_SPLIT = 10
/** A cluster nearer than this is no cluster of its own. */
const NEAREST = 2
/** Of the good rows' scale: how narrow and how wide a cluster may be. */
const WIDTHS = [0.15, 1.5] as const
/** All starts go a few steps, the best of them some more, the best of these to the end. */
const FIRST = { iterations: 8, tolerance: 1e-2 }
const FOLLOWED = 4
const ROUGH = { iterations: 30, tolerance: 1e-2 }
/** In few rows the last digits are not those of a stopping rule; in many, bins have moved them anyway. */
const fine = ({ rows }: Offsets): Steps => ({
  iterations: 2000,
  tolerance: rows > MANY ? asValue({ rows }, 1e-4) : 1e-9,
})
const profiled = (offsets: Offsets): Steps => ({
  iterations: 300,
  tolerance: offsets.rows > MANY ? asValue(offsets, 1e-4) : 1e-8,
})
/** Fewer rows than this beyond the core of one side are no cluster. */
const FEWEST = 4

/** The best cluster to either side, or the one `near` which there was one before; undefined where there is none. */
export function fitCluster(
  offsets: Offsets,
  scale: number,
  unit: number,
  near?: ClusterFit,
): ClusterFit | undefined {
  const shells: Shells = { unit, dimension: 1, signed: true, core: [0, 0], tied: [true, true] }
  const followed = near && em(offsets, shells, near, fine(offsets))
  if (followed !== undefined) return followed
  const masses = new Float64Array(CELLS)
  for (const value of offsets.values) masses[cellOf(shells, value)] = 1e-3
  const starts: Start[] = []
  for (const side of [1, -1]) {
    for (const share of SPLITS) {
      if (share * offsets.rows < FEWEST_SPLIT) continue
      const split = splitAt(offsets, side, share)
      if (split !== undefined) starts.push({ ...split, share, masses })
    }
    let beyond = 0
    for (let i = 0; i < offsets.values.length; i++)
      if (side * offsets.values[i] > 0.8 * unit) beyond += offsets.counts[i]
    if (beyond < FEWEST) continue
    for (const distance of DISTANCES) {
      for (const share of SHARES) {
        const params = Float64Array.of(Math.log(scale))
        starts.push({ params, middle: 0, centre: side * distance * scale, width: scale, share, masses })
      }
    }
  }
  const first = bestFits(offsets, shells, starts, FIRST).slice(0, FOLLOWED)
  const [best] = bestFits(offsets, shells, first, ROUGH)
  return best === undefined ? undefined : em(offsets, shells, best, fine(offsets))
}

/** The outermost share of the rows of one side, and the others; undefined where either has no width. */
function splitAt(
  { values, counts, rows }: Offsets,
  side: number,
  share: number,
): Pick<Start, 'params' | 'middle' | 'centre' | 'width'> | undefined {
  const outward = Array.from(values.keys()).sort((i, j) => side * (values[j] - values[i]))
  let left = share * rows
  const sums = { out: new Float64Array(3), rest: new Float64Array(3) }
  for (const i of outward) {
    const out = Math.min(left, counts[i])
    left -= out
    add(sums.out, out, values[i])
    add(sums.rest, counts[i] - out, values[i])
  }
  const [centre, width] = meanAndSpread(sums.out)
  const [middle, scale] = meanAndSpread(sums.rest)
  if (!(width > 0 && scale > 0)) return undefined
  return { params: Float64Array.of(Math.log(scale)), middle, centre, width }
}

/** How many, the sum and the sum of squares, of a value that is there so many times. */
function add(sums: Float64Array, times: number, value: number): void {
  sums[0] += times
  sums[1] += times * value
  sums[2] += times * value * value
}

function meanAndSpread([count, sum, squares]: Float64Array): readonly [number, number] {
  const mean = sum / count
  return [mean, Math.sqrt(Math.max(0, squares / count - mean * mean))]
}

/** Those of the starts that lead to a cluster, the most likely first. */
function bestFits(offsets: Offsets, shells: Shells, starts: readonly Start[], steps: Steps): ClusterFit[] {
  return starts.flatMap((start) => em(offsets, shells, start, steps) ?? []).sort((a, b) => b.value - a.value)
}

/** A cluster that has moved a little. */
export function followCluster(offsets: Offsets, fit: ClusterFit): ClusterFit | undefined {
  return em(offsets, fit.shells, fit, fine(offsets))
}

/** The log-likelihood with the level held. */
export function clusterProfile(offsets: Offsets, fit: ClusterFit, level: number): number {
  return em(offsets, fit.shells, fit, profiled(offsets), level)?.value ?? Number.NEGATIVE_INFINITY
}

/** P(good) of offsets. */
export function goodBesideCluster(fit: ClusterFit, values: Float64Array): Float64Array {
  const { shells, middle, centre } = fit
  const elsewhere = densitiesOf(shells, fit.masses)
  const cell = cellsIn(shells)
  const here = 1 / Math.exp(fit.params[0])
  const there = 1 / fit.width
  const ofGood = (1 - fit.level) * NORMAL * here
  const ofCluster = fit.share * NORMAL * there
  const out = rowVector(values.length)
  for (let i = 0; i < out.length; i++) {
    const u = (values[i] - middle) * here
    const v = (values[i] - centre) * there
    const good = ofGood * Math.exp(-0.5 * u * u)
    const bad = ofCluster * Math.exp(-0.5 * v * v) + elsewhere[cell(values[i])]
    out[i] = good > 0 ? good / (good + bad) : 0
  }
  return out
}

/** Places of the numbers that EM moves: those of the good rows, of the cluster, and from `MASSES` on the masses elsewhere. */
const SCALE = 0
const MIDDLE = 1
const CENTRE = 2
const WIDTH = 3
const SHARE = 4
const MASSES = 5

/** EM from a start; undefined where the cluster is lost. */
function em(
  offsets: Offsets,
  shells: Shells,
  start: Start,
  { iterations, tolerance }: Steps,
  held?: number,
): ClusterFit | undefined {
  const cells = cellsOf(shells, offsets)
  const begin = new Float64Array(MASSES + cells.used.length)
  begin.set([Math.exp(start.params[0]), start.middle, start.centre, start.width, start.share])
  for (let b = 0; b < cells.used.length; b++) begin[MASSES + b] = start.masses[cells.used[b]]
  const step = emStep(offsets, shells, cells, held)
  const allowed = (at: Float64Array): boolean =>
    at.every((value, k) => k === MIDDLE || k === CENTRE || value >= 0) && isCluster(at)
  const found = fixedPoint(step, atLevel(begin, held), { iterations, tolerance, allowed })
  if (found === undefined) return undefined
  const { point, value } = found
  const level = held ?? levelOf(point)
  if (level > MAX_LEVEL && held === undefined) return undefined
  return {
    params: Float64Array.of(Math.log(point[SCALE])),
    shells,
    middle: point[MIDDLE],
    centre: point[CENTRE],
    width: point[WIDTH],
    share: point[SHARE],
    masses: byCell(cells, point.subarray(MASSES)),
    level,
    value,
  }
}

/** A step of EM over all offsets; undefined where it loses the cluster. */
function emStep(
  { values, counts, rows, degreesOfFreedom: df }: Offsets,
  shells: Shells,
  { slot, used }: Cells,
  held: number | undefined,
): Step {
  const thinness = Float64Array.from(used, (cell) => Math.exp(-logVolume(shells, cell)))
  const elsewhere = new Float64Array(used.length)
  return (from) => {
    const scale = from[SCALE]
    const middle = from[MIDDLE]
    const centre = from[CENTRE]
    const here = -0.5 / scale ** 2
    const there = -0.5 / from[WIDTH] ** 2
    const ofGood = ((1 - (held ?? levelOf(from))) * NORMAL) / scale
    const ofCluster = (from[SHARE] * NORMAL) / from[WIDTH]
    for (let b = 0; b < elsewhere.length; b++) elsewhere[b] = from[MASSES + b] * thinness[b]
    const next = new Float64Array(from.length)
    let value = df * Math.log(scale)
    let good = 0
    let place = 0
    let squares = 0
    let own = 0
    let sum = 0
    let spread = 0
    for (let i = 0; i < values.length; i++) {
      const r = values[i]
      const u = r - middle
      const v = r - centre
      const g = ofGood * Math.exp(u * u * here)
      const c = ofCluster * Math.exp(v * v * there)
      const e = elsewhere[slot[i]]
      const all = Math.max(g + c + e, 1e-300)
      value += counts[i] * Math.log(all)
      const by = counts[i] / all
      good += g * by
      place += g * by * r
      squares += g * by * u * u
      own += c * by
      sum += c * by * r
      spread += c * by * v * v
      next[MASSES + slot[i]] += (e * by) / rows
    }
    if (!(own > 1)) return undefined
    const wide = Math.sqrt(squares / Math.max(good - df, 0.1 * good))
    next[SCALE] = wide
    next[MIDDLE] = Math.max(-wide, Math.min(wide, place / good))
    next[CENTRE] = sum / own
    next[WIDTH] = Math.min(WIDTHS[1] * wide, Math.max(WIDTHS[0] * wide, Math.sqrt(spread / own)))
    next[SHARE] = own / rows
    return isCluster(next) ? { next: atLevel(next, held), value } : undefined
  }
}

/** Whether it lies far enough from the good rows to be one of its own. */
function isCluster(at: Float64Array): boolean {
  return at[SCALE] > 0 && at[WIDTH] > 0 && Math.abs(at[CENTRE] - at[MIDDLE]) > NEAREST * at[SCALE]
}

/** Share of bad rows, in the cluster and elsewhere. */
function levelOf(at: Float64Array): number {
  let sum = 0
  for (let k = SHARE; k < at.length; k++) sum += at[k]
  return sum
}

/** With all bad rows together making up a level, where one is held. */
function atLevel(at: Float64Array, held: number | undefined): Float64Array {
  if (held === undefined) return at
  const by = held / levelOf(at)
  return at.map((value, k) => (k < SHARE ? value : value * by))
}

const NORMAL = 1 / Math.sqrt(2 * Math.PI)
