import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params, Unsupervised } from '../../likelihoods/likelihood.js'
import type { Caution, ErrorLaw } from '../../result.js'
import { POWERS } from '../laws/bend.js'
import { asEvidence } from '../laws/evidence.js'
import { isPlain, type Laws } from '../laws/good-rows.js'
import { DOUBT } from '../laws/select.js'
import { degreesOfFreedom } from '../laws/shape.js'
import { inColumns } from './columns.js'
import { type JudgedByLaw, rowsOf } from './judge-rows.js'
import { type Bends, columnsOf, unlessReaching, type View, viewOf } from './on-curves.js'

/**
 * Rows of several columns are judged by their distance, which knows no left and right. Where columns of good rows are skewed,
 * their long tails lie far off and look bad. So columns are also put on curves that take their skewness out, logarithms or
 * cube roots, and judged there: if good rows are explained better so, that is the answer. Mean and covariance remain those of
 * the columns as they are, of the rows that are then good.
 */
export function allowForSkewness<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  judged: JudgedByLaw<P>,
  laws: Laws,
  seed: number,
): JudgedByLaw<P> {
  const clean = judged.fit.corruption.level === 0 && isPlain(judged.law)
  if (clean && laws.bends === 'may') return judged
  const found: View<P>[] = []
  for (const power of POWERS) {
    const start = found.at(-1)?.model.weights ?? judged.fit.clean
    const view = viewOf(likelihood, data, start, laws, power, seed)
    if (view !== undefined) found.push(view)
  }
  if (found.length === 0) return judged
  const bent = unlessReaching(
    likelihood,
    data,
    found.reduce((a, b) => (gainOver(b, a) > 0 ? b : a)),
    judged,
    laws,
  )
  const rows = rowsOf(likelihood, data, judged)
  const straight: View<P> = { ...bent, judged, bends: [], rows, evidence: judged.evidence }
  const best = laws.bends === 'must' || gainOver(bent, straight) > DOUBT ? bent : straight
  const all = laws.bends === 'must' ? [bent, ...found] : [straight, bent, ...found]
  // How far a long tail reaches depends on the kind of curve more than on what the rows say of it: either kind is in question.
  const onCurve = (view: View<P>): boolean =>
    best !== straight && view.bends.length > 0 && gainOver(view, straight) > DOUBT
  const likely = all.filter((view) => gainOver(best, view) < DOUBT || onCurve(view))
  const interval = united(likely.map((view) => view.judged.fit.corruption.interval))
  const cautions = likely.some((view) => view.bends.length > 0) ? [cautionOf(bent.bends)] : []
  if (best === straight) {
    const corruption = { ...judged.fit.corruption, interval }
    return { ...judged, fit: { ...judged.fit, corruption }, cautions }
  }
  const errors = lawOf(best)
  const fit = inColumns(likelihood, data, { ...best.judged.fit, errors }, interval)
  if (fit === undefined) return judged
  const cost = 0.5 * columnsOf(best.bends).length * Math.log(data.x.rows)
  const onCurves = { rows: best.rows, cost }
  return { ...judged, law: best.judged.law, evidence: best.evidence, fit, cautions, onCurves }
}

/**
 * By how much a view explains the rows better than another. Rows that both call bad do not count: how a curve spreads them
 * says nothing of the good ones.
 */
function gainOver<P extends Params>(view: View<P>, other: View<P>): number {
  let gain = view.evidence - other.evidence
  const [clean, before] = [view.judged.fit.clean, other.judged.fit.clean]
  for (let i = 0; i < clean.length; i++)
    if (clean[i] < 0.5 && before[i] < 0.5)
      gain -= asEvidence({ rows: clean.length }, view.rows[i] - other.rows[i])
  return gain
}

/** What good rows on curves are like. */
function lawOf<P extends Params>({ judged, bends }: View<P>): ErrorLaw {
  const { shape, params } = judged.law
  const tails = shape.name === 'student' ? { degreesOfFreedom: degreesOfFreedom(params[1]) } : {}
  return { name: 'skewed', columns: columnsOf(bends), ...tails }
}

/** So many columns are named. */
const NAMED = 3

function cautionOf(bends: Bends): Caution {
  const all = columnsOf(bends)
  const columns = all.slice(0, NAMED)
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : ''
  const which = all.length === 1 ? `column ${all[0]} is` : `columns ${columns.join(', ')}${more} are`
  const message = `${which} skewed: rows were judged on curves that make them symmetric, like a logarithm; bad rows in a long tail look like good ones there`
  return { about: 'law', message, ...(all.length === 1 ? { column: all[0] } : { columns }) }
}

function united(intervals: readonly (readonly [number, number] | undefined)[]): readonly [number, number] {
  let [low, high] = [1, 0]
  for (const interval of intervals) {
    low = Math.min(low, interval?.[0] ?? 0)
    high = Math.max(high, interval?.[1] ?? 0)
  }
  return [low, high]
}
