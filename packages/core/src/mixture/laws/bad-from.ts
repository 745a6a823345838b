import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { BadFrom } from '../../result.js'
import { logDensities } from './law-fit.js'
import { momentsOf } from './moments.js'
import type { Candidate } from './select.js'
import { goodUnder } from './settle.js'
import { cellOf, logVolume, octavesOf } from './shells.js'

/** How far above and below the model a row is more probably bad than good, in units of the offsets. */
export interface Sides {
  readonly above: number
  readonly below: number
}

/** Rows, with P(good) of each. */
interface JudgedRows {
  readonly offsets: Float64Array
  readonly clean: Float64Array
  /** Offsets of bad leverage points. */
  readonly leverage?: Float64Array
}

/** A bad row where no other is must gain more than the cell that it needs costs: 2 log units, and 1 for the share it takes. */
const ALONE = Math.exp(-3)
/** Where is looked, in the shells' unit: about three scales of good rows. */
const NEAREST = 2 ** -4
const FARTHEST = 2 ** 20
const STEPS_PER_OCTAVE = 16
const HALVINGS = 40

/** The same of a model: in units of the response, or in standard deviations of good rows. */
export function badFromOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  /** At the scale of the law's offsets. */
  params: P,
  law: Candidate,
  rows?: JudgedRows,
): BadFrom {
  const { above, below } = sidesOf(law, rows)
  if (!isRegression(likelihood)) return { distance: above / momentsOf(law).spread }
  const scale = Math.exp(likelihood.logScale(data, params))
  const { standard } = law.growth ?? {}
  return {
    above: scale * above,
    below: scale * below,
    ...(standard === undefined ? {} : { at: standard.mean + standard.middle * standard.deviation }),
  }
}

/**
 * From where on rows are bad under a law: beyond the farthest place where a row is more probably good. Where the law has seen
 * no bad rows, it is a row that lay there alone.
 */
export function sidesOf(law: Candidate, rows?: JudgedRows): Sides {
  const { unit } = law.shells
  const octaves = Math.log2(FARTHEST / NEAREST)
  const distances = Float64Array.from(
    { length: octaves * STEPS_PER_OCTAVE + 1 },
    (_, k) => unit * NEAREST * 2 ** (k / STEPS_PER_OCTAVE),
  )
  const on = (side: number): number => {
    const good = goodAt(
      law,
      distances.map((distance) => side * distance),
    )
    let last = good.length - 1
    while (last >= 0 && !good[last]) last--
    if (last < 0 || last === good.length - 1) return distances[Math.max(last, 0)]
    let [within, beyond] = [distances[last], distances[last + 1]]
    for (let k = 0; k < HALVINGS; k++) {
      const middle = 0.5 * (within + beyond)
      if (goodAt(law, Float64Array.of(side * middle))[0]) within = middle
      else beyond = middle
    }
    return beyond
  }
  const { shells } = law
  const core = shells.core.map((power) => unit * 2 ** (power * octavesOf(shells.dimension)))
  const above = asRowsHaveIt(on(1), 1, core[0], rows)
  return { above, below: shells.signed ? asRowsHaveIt(on(-1), -1, core[1], rows) : above }
}

/** Whether rows would more probably be good than bad; a law is certain that they are where it has seen no bad ones. */
function goodAt(law: Candidate, values: Float64Array): boolean[] {
  const { shape, params, shells, masses, level, offsets } = law
  const clean = goodUnder(law, values)
  const logs = rowVector(values.length)
  logDensities(values, shells.dimension, shape, params, logs)
  return Array.from(values, (value, i) => {
    const cell = cellOf(shells, value)
    if (masses[cell] > 0) return clean[i] >= 0.5
    const alone = Math.log(ALONE / offsets.rows) - logVolume(shells, cell)
    return clean[i] >= 0.5 && Math.log(1 - level) + logs[i] >= alone
  })
}

/** A distance that all rows of one side agree with, where they agree with any; leverage points count beyond the core. */
function asRowsHaveIt(distance: number, side: number, core: number, rows: JudgedRows | undefined): number {
  if (rows === undefined) return distance
  const { offsets, clean, leverage = [] } = rows
  let farthestGood = 0
  let nearestBad = Number.POSITIVE_INFINITY
  for (let i = 0; i < clean.length; i++) {
    if (side * offsets[i] < 0) continue
    const far = Math.abs(offsets[i])
    if (clean[i] >= 0.5) farthestGood = Math.max(farthestGood, far)
    else nearestBad = Math.min(nearestBad, far)
  }
  for (const offset of leverage) if (side * offset > core) nearestBad = Math.min(nearestBad, Math.abs(offset))
  return farthestGood < nearestBad ? Math.min(Math.max(distance, farthestGood), nearestBad) : distance
}
