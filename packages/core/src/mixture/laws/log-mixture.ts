import { type LawFit, logDensities } from './law-fit.js'
import { cellOf, logVolumes } from './shells.js'

/** log density of offsets, good rows and shells of bad ones together. */
export function logMixture(
  { shape, params, shells, masses, level }: LawFit,
  values: Float64Array,
): Float64Array {
  const out = new Float64Array(values.length)
  const volumes = logVolumes(shells)
  logDensities(values, shells.dimension, shape, params, out)
  for (let i = 0; i < out.length; i++) {
    const good = Math.log1p(-level) + out[i]
    const cell = cellOf(shells, values[i])
    const bad = Math.log(masses[cell]) - volumes[cell]
    out[i] = Math.max(good, bad) + Math.log1p(Math.exp(-Math.abs(good - bad)))
  }
  return out
}
