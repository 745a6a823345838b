/** Rows that lie apart from the others, and how strongly their distances say so. */
export interface Separation {
  /** Log-likelihood ratio against every law with one hump. */
  readonly evidence: number
  /** The distance from which on rows lie apart. */
  readonly from: number
}

/** Log-likelihood ratio from which on a gap is one. */
export const CLEARLY_APART = 6
/** A gap of less than one scale separates nothing, and no cluster counts as narrower: equal rows may be rounded ones. */
const LEAST_WIDTH = 1
/** Gap and cluster begin and end at rows; more rows than this are thinned to so many. */
const MAX_ENDS = 60

/**
 * The innermost clear gap of distances (`sorted`, smallest first), beyond `start`, and the evidence of the clearest: a
 * cluster near by must not hide behind one far away.
 */
export function separation(sorted: Float64Array, start: number): Separation {
  const clearest = clearestGap(sorted, start)
  let { from } = clearest
  for (let inner = clearest; inner.evidence >= CLEARLY_APART; ) {
    from = inner.from
    const beyond = sorted.findIndex((value) => value >= from)
    inner = clearestGap(sorted.subarray(0, beyond), start)
  }
  return { evidence: clearest.evidence, from }
}

/**
 * The gap after which rows are a second hump. Any one-humped law, normal, skewed or heavy-tailed, has a density that only
 * falls, and far out falls at least like that of a Cauchy variable, r^-2: then a gap holds its share of the rows in gap and
 * cluster, by the integral of r^-2 over each. A gap that holds fewer is evidence of a cloud of its own; the tail of an
 * exponential column is long, but has no gap. Distances are in units of the good rows' scale.
 */
function clearestGap(sorted: Float64Array, start: number): Separation {
  let first = 0
  while (first < sorted.length && sorted[first] <= start) first++
  const count = sorted.length - first
  const ends = endsOf(count)
  let best: Separation = { evidence: 0, from: Number.POSITIVE_INFINITY }
  for (let u = -1; u < ends.length; u++) {
    const gapStart = u < 0 ? start : sorted[first + ends[u]]
    const before = u < 0 ? 0 : ends[u] + 1
    for (let v = u + 1; v < ends.length; v++) {
      const gapEnd = sorted[first + ends[v]]
      if (gapEnd - gapStart < LEAST_WIDTH) continue
      const inGap = ends[v] - before
      const gap = 1 / gapStart - 1 / gapEnd
      for (let w = v + 1; w < ends.length; w++) {
        const clusterEnd = Math.max(sorted[first + ends[w]], gapEnd + LEAST_WIDTH)
        const evidence = sparseness(inGap, gap, ends[w] - ends[v], 1 / gapEnd - 1 / clusterEnd)
        if (evidence > best.evidence) best = { evidence, from: gapEnd }
      }
    }
  }
  return best
}

/** Log-likelihood ratio of the rows being shared between gap and cluster as they are, to being shared by size; 0 if the gap has more. */
function sparseness(inGap: number, gap: number, inCluster: number, cluster: number): number {
  const rows = inGap + inCluster
  const expected = gap / (gap + cluster)
  const share = inGap / rows
  if (share >= expected) return 0
  return (
    (inGap > 0 ? inGap * Math.log(share / expected) : 0) + inCluster * Math.log((1 - share) / (1 - expected))
  )
}

function endsOf(count: number): Int32Array {
  if (count <= MAX_ENDS) return Int32Array.from({ length: count }, (_, k) => k)
  return Int32Array.from({ length: MAX_ENDS }, (_, k) => Math.round((k * (count - 1)) / (MAX_ENDS - 1)))
}
