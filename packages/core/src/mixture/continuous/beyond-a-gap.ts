import type { Params } from '../../likelihoods/likelihood.js'
import { middleHalf } from '../../linalg/middle-half.js'
import { columnOf, type Matrix } from '../../matrix.js'
import { shareInterval } from '../laws/share-interval.js'
import type { Judged } from './judge-rows.js'
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
  const found = Array.from({ length: x.cols }, (_, column) => column)
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

function gapsIn(values: Float64Array, column: number): BeyondGap[] {
  const { centre, scale } = middleHalf(values)
  if (!(scale > 0)) return []
  return [-1, 1].flatMap((side) => {
    const distances = values.map((value) => (side * (value - centre)) / scale)
    const sorted = distances.filter((distance) => distance > 0).sort()
    const { evidence, from } = separation(sorted, NEAREST)
    if (evidence < CLEARLY_APART) return []
    const rows = Array.from(distances.keys()).filter((i) => distances[i] >= from)
    if (rows.length < FEWEST || rows.length > MOST * values.length) return []
    const before = [...new Set(sorted.filter((distance) => distance < from))]
    if (before.length < MANY_VALUES) return []
    const gap = from - (before[before.length - 1] ?? 0)
    let widest = 0
    for (let k = 1; k < before.length; k++) widest = Math.max(widest, before[k] - before[k - 1])
    return gap > WIDER * widest ? [{ column, from: centre + side * from * scale, rows }] : []
  })
}
