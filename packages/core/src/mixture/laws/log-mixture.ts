import { type LawFit, logDensities } from './law-fit.js'
import { cellOf, logVolume } from './shells.js'

/** log density of offsets, good rows and shells of bad ones together. */
export function logMixture(
  { shape, params, shells, masses, level }: LawFit,
  values: Float64Array,
): Float64Array {
  const out = new Float64Array(values.length)
  const heights = masses.map((mass, cell) =>
    mass > 0 ? Math.log(mass) - logVolume(shells, cell) : Number.NEGATIVE_INFINITY,
  )
  logDensities(values, shells.dimension, shape, params, out)
  for (let i = 0; i < out.length; i++) {
    const good = Math.log1p(-level) + out[i]
    const bad = heights[cellOf(shells, values[i])]
    out[i] = Math.max(good, bad) + Math.log1p(Math.exp(-Math.abs(good - bad)))
  }
  return out
}
