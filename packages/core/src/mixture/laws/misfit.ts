import { asEvidence } from './evidence.js'
import type { Candidate } from './select.js'
import { tailsOf } from './shape.js'

/** Cells of equal probability under the law; the 99.9 % point of chi-squared with as many degrees of freedom less one. */
const CELLS = 10
const CRITICAL = 27.88
/** Fewer good rows than this tell no law from another. */
const FEWEST = 50
const STEPS = 2000

/**
 * Whether good rows do not follow the law that was chosen for them, by Pearson's chi-squared over cells of equal
 * probability. The choice was among a few laws: that one is best does not make it right.
 */
export function isMisfit(law: Candidate, values: Float64Array, clean: Float64Array): boolean {
  const good = clean.reduce((sum, p) => sum + p, 0)
  if (good < FEWEST || !law.offsets.signed) return false
  const within = halfProbability(law)
  const skewed = law.shape.skewed
  const scale = Math.exp(law.params[0])
  const [mode, g] = skewed ? [law.params[2], law.params[3]] : [0, 0]
  const above = 1 / (1 + Math.exp(-2 * g))
  const counts = new Float64Array(CELLS)
  for (let i = 0; i < values.length; i++) {
    const off = values[i] - mode
    const inside = within(Math.abs(off) / (scale * Math.exp(off < 0 ? -g : g)))
    const probability = off < 0 ? (1 - above) * (1 - inside) : 1 - above + above * inside
    counts[Math.min(CELLS - 1, Math.floor(CELLS * probability))] += clean[i]
  }
  const expected = good / CELLS
  const misfit = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  return asEvidence({ rows: values.length }, misfit) > CRITICAL
}

/** P(|error| < v) in units of the scale, from a table. */
export function halfProbability({
  shape,
  params,
}: Pick<Candidate, 'shape' | 'params'>): (v: number) => number {
  const tails = tailsOf(shape.name, params[1] ?? 0, 1)
  const [from, to] = [-10, 10]
  const sums = new Float64Array(STEPS + 1)
  for (let k = 1; k <= STEPS; k++) {
    const v = Math.exp(from + ((to - from) * (k - 0.5)) / STEPS)
    sums[k] = sums[k - 1] + Math.exp(tails.log(v)) * v
  }
  return (v) => {
    const place = ((Math.log(Math.max(v, 1e-300)) - from) / (to - from)) * STEPS
    if (place <= 0) return 0
    const low = Math.min(STEPS - 1, Math.floor(place))
    const part = Math.min(1, place - low)
    return (sums[low] + part * (sums[low + 1] - sums[low])) / sums[STEPS]
  }
}

/** Share of bad rows that lie so far off, beyond two cores, that they are bad under any law. */
export function farShare({ masses, cluster, beside, shells }: Candidate): number {
  let sum = 0
  for (let cell = 4; cell < masses.length; cell++) sum += masses[cell]
  const together = cluster ?? beside?.cluster
  return together !== undefined && Math.abs(together.centre) > 2 * shells.unit ? sum + together.share : sum
}

/**
 * The level of a skewed law without the bad rows that come first on its long side, and those in its core that are counted by them: how fast a long tail
 * thins out is the law's guess more than what the rows say, so these may be good.
 */
export function withoutShoulder({ level, masses, params: [, , , skewness] }: Candidate): number {
  const side = skewness > 0 ? 0 : 1
  return Math.max(0, level - masses[side] - masses[2 + side])
}
