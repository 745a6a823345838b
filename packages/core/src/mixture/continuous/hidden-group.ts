import { type Continuous, isCloud } from '../../likelihoods/capabilities.js'
import { covariance } from '../../likelihoods/covariance.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { type Matrix, takeRows } from '../../matrix.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'
import { DOUBT } from '../laws/select.js'
import { shareInterval } from '../laws/share-interval.js'
import { type Judged, rowsOf } from './judge-rows.js'
import { stretchOf } from './majority-cloud.js'
import { predictiveRadius } from './predictive-radius.js'
import { CLEARLY_APART } from './separation.js'
import { twoGroups } from './two-groups.js'

/** Groups of more than this share are two halves of the rows: neither is bad. */
const MOST = 0.35
/** What a share of bad rows costs. */
const SHARE = 2
const ENOUGH = 600
/** Rows apart of which fewer than this share are beyond what the majority's components leave are on these. */
const OFF = 0.25

/**
 * A cluster of bad rows without a gap before it stretches the cloud of good ones, or makes it look skewed: which rows are bad
 * cannot be told. But two clouds explain the rows better than one, and then the interval holds the share of the smaller.
 */
export function allowForGroup<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
): Judged<P> {
  const { clean, corruption } = judged.fit
  if (judged.law === undefined || corruption.interval === undefined || !isCloud(likelihood)) return judged
  const points = likelihood.points(data)
  const { rows: n, cols } = points
  // A distance from some components is no density of whole rows.
  if (likelihood.dimension(data) < cols) return allowForPull(likelihood, data, judged)
  const good = someOf(Array.from(clean.keys()).filter((i) => clean[i] >= 0.5))
  const x = takeRows(points, good)
  const groups = twoGroups(x)
  if (groups === undefined) return judged
  const share = Math.min(groups.share, 1 - groups.share)
  if (share > MOST) return judged
  const rows = judged.onCurves?.rows ?? rowsOf(likelihood, data, judged)
  // Of rows that are known to be good.
  const given = Math.log1p(-judged.law.level)
  const one = good.reduce((sum, i) => sum + rows[i] - given, 0) - (judged.onCurves?.cost ?? 0)
  const two = normalDensity(points, clean, x) + groups.gain - 0.5 * (cols + 1) * Math.log(x.rows) - SHARE
  if (two < one + DOUBT) return judged
  const count = (1 - share) * clean.reduce((sum, p) => sum + p, 0)
  const message = `${percentOf(share)} of the good rows lie together, about ${groups.distance.toFixed(1)} scales from the others, with no gap between: they may be bad, or a group of their own; the interval allows for that`
  return allowing(judged, n - count, n, message)
}

/**
 * Rows apart can turn a principal component towards themselves, so that they lie on it, where the others would have it
 * elsewhere. Whether they tell a direction that the others hide, or are bad, nobody knows.
 */
function allowForPull<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
): Judged<P> {
  if (judged.params === undefined) return judged
  const { clean } = judged.fit
  const rows = someOf(Array.from(clean.keys()))
  const some = likelihood.take(data, rows)
  const weights = Float64Array.from(rows, (i) => clean[i])
  const pull = stretchOf(likelihood, some, judged.params, weights)
  if (pull === undefined) return judged
  const { apart, inside } = pull.cloud
  const count = inside.reduce((sum, p) => sum + p, 0)
  // Of two directions between which the majority does not decide, neither is wrong.
  if (pull.loss * count < CLEARLY_APART) return judged
  const squared = new Float64Array(rows.length)
  likelihood.squaredDistances(some, pull.majority, squared)
  const reach = predictiveRadius(likelihood.dimension(data), count) ** 2
  const off = apart.reduce((sum, p, i) => sum + (squared[i] > reach ? p : 0), 0)
  if (off < OFF * apart.reduce((sum, p) => sum + p, 0)) return judged
  const pulling = apart.reduce((sum, p, i) => sum + p * weights[i], 0)
  const bad = weights.reduce((sum, p) => sum + 1 - p, 0)
  const message = `${percentOf(pulling / rows.length)} of the rows lie apart and turn a component towards themselves, away from where the others have it: they may be bad, or a group of their own; the interval allows for that`
  return allowing(judged, bad + pulling, rows.length, message)
}

/** With an interval that reaches so many bad ones of the rows, and the reason. */
function allowing<P extends Params>(
  judged: Judged<P>,
  bad: number,
  rows: number,
  message: string,
): Judged<P> {
  const { corruption } = judged.fit
  if (corruption.interval === undefined) return judged
  const [low, high] = corruption.interval
  const interval = [low, Math.max(high, shareInterval(bad, rows)[1])] as const
  return {
    ...judged,
    fit: { ...judged.fit, corruption: { ...corruption, interval } },
    cautions: [...(judged.cautions ?? []), { about: 'cluster', message }],
  }
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(share < 0.095 ? 1 : 0)} %`
}

/**
 * log density of some good rows under the normal law of all of them, to which the gain of two groups is added: the law that is
 * compared with them was not fitted to these rows alone either.
 */
function normalDensity(points: Matrix, clean: Float64Array, x: Matrix): number {
  const gaussian = covariance()
  const good = clean.map((p) => (p >= 0.5 ? 1 : 0))
  const losses = new Float64Array(x.rows)
  gaussian.losses({ x }, gaussian.fit({ x: points }, good), losses)
  return -losses.reduce((sum, loss) => sum + loss, 0)
}

/** All of them, or about so many as show a group. */
function someOf(rows: readonly number[]): readonly number[] {
  if (rows.length <= 2 * ENOUGH) return rows
  const picked = pickRows(rowPicker('groups'), rows.length, ENOUGH).sort()
  return Array.from(picked, (k) => rows[k])
}
