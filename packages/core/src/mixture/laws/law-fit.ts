import { exponentials } from '../../kernels/estep.js'
import { maximise } from '../../linalg/bfgs.js'
import { rowVector } from '../../matrix.js'
import { asValue } from './evidence.js'
import { byCell, type Cells, cellsOf, type Masses, solveMasses } from './masses.js'
import { MANY, type Offsets } from './offsets.js'
import { coreRadius, type Shape, tailsOf } from './shape.js'
import { cellsIn, corePower, densitiesOf, logVolume, type Shells } from './shells.js'

/** Good rows of a law and shells of bad ones, fitted to offsets. */
export interface LawFit {
  readonly shape: Shape
  /** log scale, then tails, mode and skewness as far as the shape has them. */
  readonly params: Float64Array
  readonly shells: Shells
  readonly level: number
  readonly masses: Float64Array
  /** Restricted log-likelihood. */
  readonly value: number
}

/** Settings of a fit. */
export interface LawFitOptions {
  /** Three scales of the good rows, were they normal. */
  readonly unit: number
  /** Whether a side's core shares the density of its first shell. */
  readonly tied: readonly [boolean, boolean]
}

/** So often the core follows the law. */
const ROUNDS = 3
const ROUGH = 1e-2
/** Precision of a result: in few rows its last digits are not those of a stopping rule; in many, bins have moved them anyway. */
export function fine({ rows }: Offsets): number {
  return rows > MANY ? asValue({ rows }, 1e-5) : 1e-18
}

/** A law of good rows and shells of bad ones, from a start. */
export function fitLaw(offsets: Offsets, shape: Shape, start: Float64Array, options: LawFitOptions): LawFit {
  let shells = shellsOf(shape, start, offsets, options)
  let params = start
  for (let round = 1; round < ROUNDS; round++) {
    params = fitWithin(offsets, shape, params, shells, ROUGH).params
    const next = shellsOf(shape, params, offsets, options)
    if (next.core[0] === shells.core[0] && next.core[1] === shells.core[1]) break
    shells = next
  }
  return fitWithin(offsets, shape, params, shells, fine(offsets))
}

/** Shells about a core that nearly all good rows lie in. */
function shellsOf(
  shape: Shape,
  params: Float64Array,
  { dimension, signed }: Offsets,
  { unit, tied }: LawFitOptions,
): Shells {
  const radius = Math.exp(params[0]) * coreRadius(tailsOf(shape.name, params[1] ?? 0, dimension), dimension)
  if (!shape.skewed) {
    const power = corePower(radius / unit, dimension)
    return { unit, dimension, signed, core: [power, power], tied }
  }
  const above = Math.max(params[2] + radius * Math.exp(params[3]), 0)
  const below = Math.max(radius * Math.exp(-params[3]) - params[2], 0)
  return {
    unit,
    dimension,
    signed,
    core: [corePower(above / unit, dimension), corePower(below / unit, dimension)],
    tied,
  }
}

/** The maximum over the law's parameters and all masses, with the shells as they are. */
export function fitWithin(
  offsets: Offsets,
  shape: Shape,
  start: Float64Array,
  shells: Shells,
  tolerance: number,
  held?: number,
): LawFit {
  const { values, counts, rows } = offsets
  const cells = cellsOf(shells, offsets)
  const volumes = cells.used.map((cell) => logVolume(shells, cell))
  const volume = Float64Array.from(cells.slot, (slot) => volumes[slot])
  let allVolumes = 0
  for (let i = 0; i < volume.length; i++) allVolumes += counts[i] * volume[i]
  const a = new Float64Array(values.length)
  let guess: Float64Array = new Float64Array(cells.used.length)
  // At first all that lies beyond the core is taken for bad.
  for (let i = 0; i < a.length; i++)
    if (cells.used[cells.slot[i]] > 1) guess[cells.slot[i]] += (0.5 * counts[i]) / rows
  for (const side of [0, 1]) {
    const core = cells.used.indexOf(2 + side)
    if (shells.tied[side] && core >= 0) guess[core] = 0.01
  }
  const massesAt = (params: Float64Array): Masses => {
    logDensities(values, offsets.dimension, shape, params, a)
    for (let i = 0; i < a.length; i++) a[i] = Math.exp(a[i] + volume[i])
    return solveMasses(cells, a, guess, held)
  }
  const objective = (params: Float64Array, gradient: Float64Array): number => {
    const masses = massesAt(params)
    guess = masses.masses
    return objectiveAt(offsets, shape, params, cells, a, masses, gradient) - allVolumes
  }
  const { at, value } = maximise(objective, start, tolerance, rows)
  const { level, masses } = massesAt(at)
  return { shape, params: at, shells, level, masses: byCell(cells, masses), value }
}

/** log density of good rows at offsets, into `out`. */
export function logDensities(
  values: Float64Array,
  dimension: number,
  shape: Shape,
  params: Float64Array,
  out: Float64Array,
): void {
  const tails = tailsOf(shape.name, params[1] ?? 0, dimension)
  const [above, below, mode, constant] = halves(shape, params, dimension)
  if (shape.name === 'normal') {
    // By far the most frequent law, and a call for each row would be most of its cost.
    const top = constant + tails.log(0)
    for (let i = 0; i < out.length; i++) {
      const v = values[i] * above
      out[i] = top - 0.5 * v * v
    }
    return
  }
  for (let i = 0; i < out.length; i++) {
    const off = values[i] - mode
    out[i] = constant + tails.log(off < 0 ? -off * below : off * above)
  }
}

/** Of the two halves 1 / scale, then the mode, and the logarithm of what the density is divided by. */
export function halves(
  shape: Shape,
  params: Float64Array,
  dimension: number,
): readonly [number, number, number, number] {
  const scale = Math.exp(-params[0])
  if (!shape.skewed) return [scale, scale, 0, -dimension * params[0]]
  const g = params[3]
  return [
    scale * Math.exp(-g),
    scale * Math.exp(g),
    params[2],
    -params[0] - Math.log(Math.cosh(Math.min(Math.max(g, -300), 300))),
  ]
}

/** log-likelihood with the degrees of freedom of the model's fit paid for, and its gradient. */
function objectiveAt(
  offsets: Offsets,
  shape: Shape,
  params: Float64Array,
  { slot, counts }: Cells,
  a: Float64Array,
  { level, masses }: Masses,
  gradient: Float64Array,
): number {
  const { values, dimension: D } = offsets
  const df = offsets.degreesOfFreedom * D
  const tails = tailsOf(shape.name, params[1] ?? 0, D)
  const [above, below, mode] = halves(shape, params, D)
  const g = shape.skewed ? params[3] : 0
  const bent = Math.tanh(g)
  let value = df * params[0]
  let [byScale, byTail, byMode, bySkew] = [df, 0, 0, 0]
  for (let i = 0; i < values.length; i++) {
    const good = (1 - level) * a[i]
    const density = Math.max(good + masses[slot[i]], 1e-300)
    value += counts[i] * Math.log(density)
    const weight = (counts[i] * good) / density
    if (weight < 1e-14) continue
    const off = values[i] - mode
    const under = off < 0
    const v = under ? -off * below : off * above
    const pull = tails.pull(v)
    byScale += weight * (pull - D)
    if (shape.size > 1) byTail += weight * tails.byTail(v)
    if (shape.skewed) {
      if (v > 0) byMode += (weight * pull) / off
      bySkew += weight * ((under ? -pull : pull) - bent)
    }
  }
  gradient[0] = byScale
  if (shape.size > 1) gradient[1] = byTail
  if (shape.skewed) {
    gradient[2] = byMode
    gradient[3] = bySkew
  }
  // What keeps the search for parameters that the rows say nothing of from wandering off.
  for (let j = 1; j < params.length; j++) {
    if (j === 2) continue
    const wide = j === 1 ? WIDE : LOPSIDED
    value -= 0.5 * (params[j] / wide) ** 2
    gradient[j] -= params[j] / wide ** 2
  }
  return value
}

/** Standard deviations of weak priors of the tails' and the skewness parameter. */
const WIDE = 5
const LOPSIDED = 1.5

/** P(good) of offsets; all 1 where less than half a row is bad. */
export function goodProbabilities(fit: LawFit, values: Float64Array): Float64Array {
  const clean = rowVector(values.length)
  const { shape, params, shells, level, masses } = fit
  if (level === 0) return clean.fill(1)
  const bad = densitiesOf(shells, masses)
  const cell = cellsIn(shells)
  logDensities(values, shells.dimension, shape, params, clean)
  exponentials(clean, 1, 0, clean)
  for (let i = 0; i < clean.length; i++) {
    const good = (1 - level) * clean[i]
    clean[i] = good > 0 ? good / (good + bad[cell(values[i])]) : 0
  }
  return clean
}

/** Less than half a row is none. */
export function atLeastHalfARow<F extends { readonly level: number; readonly masses: Float64Array }>(
  fit: F,
  rows: number,
): F {
  return fit.level < 0.5 / rows ? { ...fit, level: 0, masses: new Float64Array(fit.masses.length) } : fit
}
