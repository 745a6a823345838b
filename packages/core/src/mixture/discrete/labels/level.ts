import type { Explanation } from './evidence.js'
import { cubicSpline } from './spline.js'

/** Half of the likelihood ratio that a 90 % interval admits. */
const ADMITTED = 1.3528
/** The same for two unknowns: the level, and a direction in which habits may be wrong. */
const ADMITTED_OF_LEARNED = Math.LN10
/** Laplace's approximation is rough where parameters are many: so much more is admitted for each parameter per row, and by their square. */
const ROUGHNESS = 5
const VERY_ROUGH = 6
/**
 * Random labels make the posterior of the coefficients wide and skewed, and Laplace's approximation falls short of their evidence: by
 * importance sampling by about this times -log(1 - level) for each coefficient (.4 to .7 at levels of .6 to .8 of 5 coefficients,
 * 1.5 to 2.2 of 14), and by nothing at level 0.
 */
const SHORTFALL = 0.15
/** The prior probability that no label is random: the rest is spread evenly over all levels. */
const NONE = 0.2
/** The mean of the posterior's fourth power: near its mode, which is less biased at high levels, and as continuous. */
const SHARPENED = 4
const STEPS = 900
const HOPELESS = -40
/** Log evidence of no wrong label at all, beside the best level, from which on some are certain. */
const CERTAIN = -10
/**
 * One against twenty, in log evidence: all labels may be right until some wrong ones are clearly better, uniform noise is what labels have until another kind is clearly better, and a kind
 * that is clearly worse than another has no part in the interval.
 */
const CLEARLY = 3
/** With fewer than 5 rows for each parameter other kinds are possible, but nothing speaks clearly. */
const TOO_ROUGH = 0.2

export interface Level {
  /** Share of random labels: its posterior mean, with a part of the probability on exactly none. */
  readonly level: number
  readonly interval: readonly [number, number]
}

/** A level, and which kind explains the labels best there. */
export interface LevelOfKind extends Level {
  readonly kind: Kind
}

/** By how much less log-likelihood than the best a level is inside the interval. */
export function admittedLoss(parametersPerRow: number, kind: Kind = 'uniform'): number {
  const few = kind === 'learned' ? ADMITTED_OF_LEARNED : ADMITTED
  return few * (1 + ROUGHNESS * parametersPerRow + (VERY_ROUGH * parametersPerRow) ** 2)
}

/** By how much log evidence a kind of noise is clearly better than another. */
export function clearly(parametersPerRow: number): number {
  return CLEARLY * (1 + (VERY_ROUGH * parametersPerRow) ** 2)
}

/** How labels are explained: by noise that is uniform or that has learned habits, or as labels that the features say nothing of. */
export type Kind = 'uniform' | 'learned' | 'no signal'

/** log P(labels | level) of one kind, at levels in order. */
export interface EvidenceCurve {
  readonly kind: Kind
  readonly levels: readonly number[]
  readonly logEvidence: readonly number[]
}

/** log P(labels | level) at each level that was tried, summed over the priors. */
export function marginalEvidence<P>(kind: Kind, explanations: readonly Explanation<P>[]): EvidenceCurve {
  const levels = [...new Set(explanations.map(({ level }) => level))].sort((a, b) => a - b)
  const logEvidence = levels.map((level) => {
    const all = explanations.filter((e) => e.level === level).map((e) => e.logEvidence)
    const most = Math.max(...all)
    if (most === Number.NEGATIVE_INFINITY) return most
    return most + Math.log(all.reduce((sum, value) => sum + Math.exp(value - most), 0))
  })
  return { kind, levels, logEvidence }
}

/**
 * The level from its log evidence under each kind, summed. The mean moves continuously with the evidence, where
 * a choice between "none" and a best level would jump from one to the other. The interval is the union over the kinds
 * that are not clearly worse than the best, and over two priors: coefficients are held back as those of true labels or, of
 * so many `determined` ones, as those of the given labels. Where features say little a level near the largest makes the
 * first far wider than the second, and it is that prior, not the rows, that would speak for it.
 */
export function levelOf(
  curves: readonly EvidenceCurve[],
  parametersPerRow: number,
  determined = 0,
): LevelOfKind {
  const highest = Math.max(...curves.flatMap(({ logEvidence }) => logEvidence))
  const last = Math.max(...curves.map(({ levels }) => levels[levels.length - 1]))
  // Finest at 0, where many clean rows leave little room.
  const at = Float64Array.from({ length: STEPS + 1 }, (_, k) => last * (k / STEPS) ** 2)
  const each = curves.map((curve) => at.map(interpolated(curve, highest)))
  const better = clearly(parametersPerRow)
  const tooRough = parametersPerRow > TOO_ROUGH
  const prices = curves.map(({ kind }) =>
    kind !== 'learned' ? 0 : tooRough ? Number.POSITIVE_INFINITY : better,
  )
  const fallsShort = curves.map(({ kind }) => (kind === 'no signal' ? 0 : SHORTFALL * determined))
  const values = at.map((level, k) =>
    logSum(each.map((own, j) => own[k] - prices[j] - fallsShort[j] * Math.log(1 - level))),
  )
  const most = highestOf(values)
  let mass = 0
  let total = 0
  let moment = 0
  for (let k = 0; k <= STEPS; k++) {
    const width = (at[Math.min(k + 1, STEPS)] - at[Math.max(k - 1, 0)]) / 2
    const sharpened = width * Math.exp(SHARPENED * (values[k] - most))
    mass += width * Math.exp(values[k] - most)
    total += sharpened
    moment += sharpened * at[k]
  }
  const none = NONE * Math.exp(values[0] - most)
  const some = (1 - NONE) * mass
  const best = each.map(highestOf)
  const admitted = curves.map(({ kind }, j) =>
    best[j] < Math.max(...best) - better && !(tooRough && kind === 'uniform')
      ? Number.NEGATIVE_INFINITY
      : admittedLoss(parametersPerRow, kind),
  )
  const inside = new Uint8Array(at.length)
  each.forEach((own, j) => {
    // As the slopes of true labels, and as those of given ones, which noise makes 1 - level times as steep.
    for (const slopes of [-fallsShort[j], 0, determined]) {
      const curve = own.map((value, k) => value + slopes * Math.log(1 - at[k]))
      const top = highestOf(curve)
      for (let k = 0; k < at.length; k++) if (curve[k] >= top - admitted[j]) inside[k] = 1
      // That all labels are right is left out where some wrong ones are clearly better, and not before.
      if (curve[0] >= top - CLEARLY && admitted[j] > 0) inside[0] = 1
    }
  })
  const low = at[inside.indexOf(1)]
  const high = at[inside.lastIndexOf(1)]
  const mean = ((some / (some + none)) * moment) / total
  const level = Math.min(Math.max(mean, low), high)
  const nearest = at.reduce((a, b, k) => (Math.abs(b - level) < Math.abs(at[a] - level) ? k : a), 0)
  const there = each.map((own, j) => own[nearest] - prices[j] - fallsShort[j] * Math.log(1 - at[nearest]))
  return { level, interval: [low, high], kind: curves[there.indexOf(Math.max(...there))].kind }
}

function highestOf(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b))
}

/**
 * What is hopeless is alike: a spline through a fall of thousands would swing, and beyond the levels all are. It would swing
 * beside a fall at 0 too, where labels are certainly wrong: the evidence of one such label is the logarithm of the level, and of more
 * of them steeper, so that no level is ruled out too soon.
 */
function interpolated({ levels, logEvidence }: EvidenceCurve, highest: number): (at: number) => number {
  const values = logEvidence.map((value) => Math.max(value - highest, HOPELESS))
  const least = levels[0] === 0 && values[0] < CERTAIN ? 1 : 0
  const spline = cubicSpline(levels.slice(least), values.slice(least))
  const below = (at: number): number => Math.max(values[0], values[least] + Math.log(at / levels[least]))
  // Two kinds that end at one level may differ in its last digit.
  const end = levels[levels.length - 1] * (1 + 1e-9)
  return (at) => (!(at >= levels[0] && at <= end) ? HOPELESS : at < levels[least] ? below(at) : spline(at))
}

function logSum(values: readonly number[]): number {
  if (values.length === 1) return values[0]
  const most = Math.max(...values)
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0))
}
