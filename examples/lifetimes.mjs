/** A model of one's own (weibull.ts) on lifetimes in hours, a fifth of which are typing errors. */
import { fit, ml } from 'rlvi'
import { seeded } from 'rlvi/random'
import { weibull } from './dist/weibull.js'

const uniform = seeded('lifetimes')
const shape = 2
const scale = 1000
const times = Float64Array.from({ length: 300 }, (_, i) => {
  // A typing error could be anything from 1 to 1,000,000.
  return i % 5 === 0 ? 10 ** (6 * uniform()) : scale * (-Math.log1p(-uniform())) ** (1 / shape)
})

const plain = ml(weibull, { times }).params
const { params, standardErrors, corruption, clean } = fit(weibull, { times })
const [low, high] = corruption.interval
const found = times.filter((_, i) => i % 5 === 0 && clean[i] < 0.5).length
const flagged = clean.filter((c) => c < 0.5).length

console.log(`truth:       shape ${shape}, scale ${scale}, 20 % bad`)
console.log(`ml:          shape ${plain.shape.toFixed(2)}, scale ${plain.scale.toFixed(0)}`)
console.log(
  `calibrated:  shape ${params.shape.toFixed(2)} ± ${standardErrors.shape.toFixed(2)},`,
  `scale ${params.scale.toFixed(0)} ± ${standardErrors.scale.toFixed(0)},`,
  `${(100 * corruption.level).toFixed(0)} % bad (${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %)`,
)
console.log(`flagged:     ${flagged} of 300 rows, ${found} of the 60 errors among them`)
