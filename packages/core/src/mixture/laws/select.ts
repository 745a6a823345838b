import { thinned } from '../shared/thinned.js'
import { type BesideCluster, besideCluster } from './beside-cluster.js'
import { type ClusterFit, fitCluster } from './cluster.js'
import { asEvidence, asValue, speaking } from './evidence.js'
import type { Growth } from './growth.js'
import { fine, fitLaw, fitWithin, type LawFit } from './law-fit.js'
import { type Offsets, quantiles, toOffsets, within } from './offsets.js'
import { coreRadius, SHAPES, type ShapeName, tailsOf } from './shape.js'
import { firstShell, type Shells } from './shells.js'

/** A law with shells of bad rows, and what speaks for it. */
export interface Candidate extends LawFit {
  /** What it was fitted to. */
  readonly offsets: Offsets
  /** Where the scatter follows the prediction. */
  readonly growth?: Growth
  /** Where bad rows lie together, beside normal ones. */
  readonly cluster?: ClusterFit
  /** Where they lie together beside rows of another law. */
  readonly beside?: BesideCluster
  /** Log-likelihood, as far as the rows speak, less what the parameters cost. */
  readonly evidence: number
}

/** Where a law's start is looked for, in scales that good rows have if they are normal. */
const NEARBY = 7
/** So many bad rows may be none. */
const FEW = 2.5
/** Laws with so much less evidence than the best one can still be true: one against twenty. */
export const DOUBT = 3
/** What a cell in use costs: a sparser core must gain as much as in a test at 5 %, and shells must not outbid a law's tails. */
const CELL = 2

/**
 * Laws fitted to how far rows lie off, each with both ways to treat its core, and beside a cluster of bad rows: one `near`
 * which there was one before.
 */
export function candidates(
  values: Float64Array,
  about: Pick<Offsets, 'dimension' | 'signed' | 'degreesOfFreedom'>,
  names: readonly ShapeName[],
  growth?: Growth,
  near?: ClusterFit,
): Candidate[] {
  const unit = shellUnit(values, about)
  return candidatesFor(toOffsets(values, about, unit.radius), unit, names, growth, near)
}

/** The scale that good rows have if they are normal, and the radius of the core that it makes: the unit of the shells. */
export interface ShellUnit {
  readonly scale: number
  readonly radius: number
}

export function shellUnit(
  values: Float64Array,
  about: Pick<Offsets, 'dimension' | 'signed' | 'degreesOfFreedom'>,
): ShellUnit {
  return unitOf(toOffsets(thinned(values, ENOUGH), about, normalCore(about.dimension)))
}

/** `candidates` of offsets that go with shells of a unit. */
export function candidatesFor(
  offsets: Offsets,
  { scale, radius }: ShellUnit,
  names: readonly ShapeName[],
  growth?: Growth,
  near?: ClusterFit,
): Candidate[] {
  const starts = startsOf(offsets, scale)
  const found: Candidate[] = []
  for (const name of names) {
    if (name === 'light' && names.length > 1 && !seemLight(offsets, scale)) continue
    const tied = fitLaw(offsets, SHAPES[name], starts(name), { unit: radius, tied: [true, true] })
    found.push(judged(offsets, tied, growth))
    // A few rows in a shell may be no more than what a clean sample shows now and then.
    if (tied.level > 0 && tied.level * offsets.rows < FEW)
      found.push(
        judged(offsets, fitWithin(offsets, tied.shape, tied.params, tied.shells, fine(offsets), 0), growth),
      )
    const free = withSparseCore(offsets, tied)
    if (free !== undefined) found.push(judged(offsets, free, growth))
  }
  const first = found[0]
  if (offsets.signed && first.shape.name === 'normal') {
    const cluster = fitCluster(offsets, scale, radius, near)
    if (cluster !== undefined) {
      const besideNormal = withCluster(first, cluster)
      const others = bestOfEach(found.filter(({ shape }) => shape.name !== 'normal'))
      const best = found.reduce((most, law) => Math.max(most, law.evidence), Number.NEGATIVE_INFINITY)
      found.push(besideNormal)
      if (besideNormal.evidence > best) {
        for (const law of others) {
          // The cluster may spare it a cell or two.
          const least = besideNormal.evidence - DOUBT + besideCost(law) + CELL * (cellsInUse(law) - 2)
          const beside = besideCluster(offsets, law, cluster, asValue(offsets, least))
          if (beside !== undefined) found.push(withBeside(law, beside))
        }
      }
    }
  }
  return found
}

/** How many times as far the outer twentieths of a normal law are apart as its quarters; of a uniform law 1.8. */
const NORMAL_TAILS = 2.439
/** By so much less, over the root of the number of rows, it comes out in a fifth of normal samples. */
const LIGHTER = 2.5

/** With fewer rows beyond the coefficients the outer twentieths are a row or two, or what the fit made of them, and say nothing of tails. */
const ROWS_FOR_TAILS = 60

/** Whether tails lighter than a normal law's are worth a look: they seldom are. */
function seemLight(offsets: Offsets, scale: number): boolean {
  const near = within(offsets, NEARBY * scale)
  if (near.rows - offsets.degreesOfFreedom < ROWS_FOR_TAILS) return false
  const [a, b, c, d] = quantiles(near, [0.05, 0.25, 0.75, 0.95])
  return (d - a) / (c - b) < NORMAL_TAILS - LIGHTER / Math.sqrt(near.rows)
}

/** So many rows tell the unit of the shells. */
const ENOUGH = 50_000

/** Of each shape the fit with most evidence. */
function bestOfEach(laws: readonly Candidate[]): Candidate[] {
  const best = new Map<ShapeName, Candidate>()
  for (const law of laws) {
    const other = best.get(law.shape.name)
    if (other === undefined || law.evidence > other.evidence) best.set(law.shape.name, law)
  }
  return [...best.values()]
}

/** The radius of the core of normal rows, in units of their scale. */
export function normalCore(dimension: number): number {
  return coreRadius(tailsOf('normal', 0, dimension), dimension)
}

/** The evidence of normal rows with shells of bad ones, nearly: enough to choose among models. */
export function normalEvidence(offsets: Offsets): number {
  const { fit } = unitOf(offsets)
  return asEvidence(offsets, fit.value) - costOf(offsets, fit, cellsInUse(fit))
}

export function judged(offsets: Offsets, fit: LawFit, growth?: Growth): Candidate {
  const cost = costOf(offsets, fit, cellsInUse(fit), growth)
  const evidence = asEvidence(offsets, fit.value) - cost
  return { ...fit, offsets, evidence, ...(growth === undefined ? {} : { growth }) }
}

/** Normal rows with a cluster of bad ones. */
export function withCluster(normal: Candidate, cluster: ClusterFit): Candidate {
  const { params, shells, masses, level, value } = cluster
  const evidence = asEvidence(normal.offsets, value) - clusterCost(normal.offsets, cluster, normal.growth)
  return { ...normal, params, shells, masses, level, value, evidence, cluster }
}

/** A law with a cluster of bad rows beside it. */
export function withBeside(law: Candidate, beside: BesideCluster): Candidate {
  const { rest, level, value } = beside
  const cost = besideCost(law) + CELL * cellsInUse(rest)
  const { params, shells, masses } = rest
  const evidence = asEvidence(law.offsets, value) - cost
  return { ...law, params, shells, masses, level, value, evidence, beside }
}

/** What a law with a cluster costs beside the cells of the others. */
function besideCost({ offsets, growth, ...law }: Candidate): number {
  return costOf(offsets, law, 1, growth) + Math.log(speaking(offsets.rows))
}

/** What a cluster costs: its place and width, its share and the cells in use, and the scatter's growth where there is one. */
export function clusterCost({ rows }: Offsets, { masses }: ClusterFit, growth?: Growth): number {
  const cells = masses.reduce((count, mass) => count + (mass > 1e-9 ? 1 : 0), 1)
  return CELL * cells + Math.log(speaking(rows)) + growthCost(rows, growth)
}

/** What a law's parameters and the cells in use cost. */
export function costOf({ rows }: Offsets, { shape }: LawFit, cells: number, growth?: Growth): number {
  const more = shape.size - 1
  return CELL * cells + 0.5 * more * Math.log(speaking(rows)) + growthCost(rows, growth)
}

/** That the scatter follows the prediction is tried only where it seems so, which must be paid for too. */
function growthCost(rows: number, growth: Growth | undefined): number {
  return growth === undefined ? 0 : 0.5 * Math.log(speaking(rows)) + 3
}

/** Cells with bad rows, and cores that were free to have some. */
export function cellsInUse({ masses, shells }: LawFit): number {
  const free = ([0, 1] as const).filter(
    (side) => !shells.tied[side] && masses[2 + side] > 0 && masses[side] === 0,
  )
  return masses.reduce((count, mass) => count + (mass > 0 ? 1 : 0), free.length)
}

/** The law with cores of a density of their own, where they are sparser than their first shells; undefined where not. */
function withSparseCore(offsets: Offsets, tied: LawFit): LawFit | undefined {
  // The cells of the tied cores: without bad rows in a first shell there are none in its core either.
  const free = [tied.masses[2] === 0, tied.masses[3] === 0] as [boolean, boolean]
  if (free[0] && free[1]) return undefined
  const growth = firstShell(offsets.dimension)
  for (let round = 0; round < 2; round++) {
    const shells = { ...tied.shells, tied: free }
    const fit = fitWithin(offsets, tied.shape, tied.params, shells, fine(offsets))
    const denser = ([0, 1] as const).filter(
      (side) => !free[side] && fit.masses[side] * growth > fit.masses[2 + side],
    )
    if (denser.length === 0) return fit
    for (const side of denser) free[side] = true
    if (free[0] && free[1]) return undefined
  }
  return undefined
}

/** The scale that good rows have if they are normal, the radius of the core that it makes, and the fit that says so. */
function unitOf(offsets: Offsets): { readonly scale: number; readonly radius: number; readonly fit: LawFit } {
  const { dimension, signed } = offsets
  const core = normalCore(dimension)
  let scale = 1
  for (let round = 1; ; round++) {
    const shells: Shells = { unit: scale * core, dimension, signed, core: [0, 0], tied: [true, true] }
    const fit = fitWithin(
      offsets,
      SHAPES.normal,
      Float64Array.of(Math.log(scale)),
      shells,
      asValue(offsets, 1e-4),
    )
    const next = Math.exp(fit.params[0])
    const still = Math.abs(next / scale - 1) < 1e-3
    scale = next
    if (still || round === 8) return { scale, radius: scale * core, fit }
  }
}

/** Where the search for a law's parameters begins: by quantiles, which bad rows hardly move. */
function startsOf(offsets: Offsets, scale: number): (name: ShapeName) => Float64Array {
  const [low, middle, high] = quantiles(within(offsets, NEARBY * scale), [0.15, 0.5, 0.85])
  return (name) => {
    const shape = SHAPES[name]
    if (!shape.skewed) return Float64Array.of(Math.log(scale), ...shape.tails)
    // The quantiles are those of 1.036 scales.
    const wide = Math.max((high - low) / 2.073, 1e-6 * scale)
    const g = 0.5 * Math.log(Math.max(high - middle, 1e-3 * wide) / Math.max(middle - low, 1e-3 * wide))
    return Float64Array.of(Math.log(wide), ...shape.tails, middle - wide * g, g)
  }
}
