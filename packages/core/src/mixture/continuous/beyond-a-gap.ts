import type { Params } from '../../likelihoods/likelihood.js'
import { middleHalf } from '../../linalg/middle-half.js'
import { columnOf, type Matrix, takeRows } from '../../matrix.js'
import { shareInterval } from '../laws/share-interval.js'
import { thinnedRows } from '../shared/thinned.js'
import type { Judged } from './judge-rows.js'
import { MOST_ORDERED } from './order.js'
import { CLEARLY_APART, separation } from './separation.js'

/** Between so many scales of a column's middle half a gap is looked for. */
const NEAREST = 1.5
/** So many rows lie beyond it, at least, and such a share at most: of two halves neither is bad. */
const FEWEST = 3
const MOST = 0.35
/** It is so many times wider than any that lies nearer: values on steps have gaps alike. */
const WIDER = 3
/** Of fewer values that lie nearer, a step is no gap. */
const MANY_VALUES = 8
/** A gap among very many rows is there among so many of them, or few lie beyond it. */
const ENOUGH = 10_000

/** Rows on one side of a gap in a column. */
interface BeyondGap {
  readonly column: number
  readonly from: number
  readonly rows: readonly number[]
}

/**
 * Rows whose unit differs in one column lie together beyond a gap in it, and yet not far off in scales that they have widened: a tenth of lognormal values in another unit
 * is three scales below. Where most of them count as good the interval holds that they are bad, and a caution names the column.
 */
export function allowForGap<P extends Params>(x: Matrix, judged: Judged<P>): Judged<P> {
  const { clean, corruption } = judged.fit
  const { interval } = corruption
  if (interval === undefined) return judged
  const trusted = ({ rows }: BeyondGap): number =>
    rows.reduce((count, i) => (clean[i] > 0.5 ? count + 1 : count), 0)
  const some = x.rows > MOST_ORDERED ? takeRows(x, thinnedRows(x.rows, ENOUGH)) : undefined
  const found = Array.from({ length: x.cols }, (_, column) => column)
    .filter((column) => some === undefined || gapsIn(columnOf(some, column), column).length > 0)
    .flatMap((column) => gapsIn(columnOf(x, column), column))
    .filter((gap) => trusted(gap) > 0.5 * gap.rows.length)
    .sort((a, b) => trusted(b) - trusted(a))
  if (found.length === 0) return judged
  const [{ column, from, rows }] = found
  const bad = clean.reduce((sum, p) => sum + 1 - p, 0) + trusted(found[0])
  const high = Math.max(interval[1], shareInterval(bad, x.rows)[1])
  const message = `${rows.length} of ${x.rows} rows lie together beyond a gap in column ${column}, such as values in another unit, and count as good for the most part: the interval allows for all of them being bad`
  return {
    ...judged,
    fit: { ...judged.fit, corruption: { ...corruption, interval: [interval[0], high] } },
    cautions: [...(judged.cautions ?? []), { about: 'cluster', message, column, values: [from] }],
  }
}

function gapsIn(own: Float64Array, column: number): BeyondGap[] {
  const { centre, scale } = middleHalf(own)
  if (!(scale > 0)) return []
  return [-1, 1].flatMap((side) => {
    const distances = own.map((value) => (side * (value - centre)) / scale)
    const sorted = distances.filter((distance) => distance > 0).sort()
    const { evidence, from: about } = separation(sorted, NEAREST)
    if (evidence < CLEARLY_APART) return []
    // Of many rows that looks at some ends only: the gap ends where the widest one up to there does.
    const values = [...new Set(sorted.filter((distance) => distance <= about))]
    const at = widestAt(values, values.length)
    const from = values[at]
    if (at < MANY_VALUES || from <= NEAREST) return []
    const nearer = widestAt(values, at)
    if (from - values[at - 1] <= WIDER * (values[nearer] - values[nearer - 1])) return []
    const rows = Array.from(distances.keys()).filter((i) => distances[i] >= from)
    if (rows.length < FEWEST || rows.length > MOST * distances.length) return []
    return [{ column, from: centre + side * from * scale, rows }]
  })
}

/** Behind the widest gap of the first so many values, in order. */
function widestAt(values: readonly number[], count: number): number {
  let best = 1
  for (let k = 2; k < count; k++) if (values[k] - values[k - 1] > values[best] - values[best - 1]) best = k
  return best
}
