/** Rows that lie apart from the `inside` nearest ones, and how strongly the distances say so. */
export interface Separation {
  /** Log-likelihood ratio against every law that only thins out. */
  readonly evidence: number
  /** The distance from which on rows lie apart. */
  readonly from: number
}

/** A gap of less than one scale separates nothing. */
const LEAST_GAP = 1
/** Gap and cluster begin and end at rows; more rows than this are thinned to so many. */
const MAX_ENDS = 60

/**
 * Whether the rows beyond the `inside` nearest ones are a second hump of the distances. Any one-humped law, normal, skewed
 * or heavy-tailed, has a density of distances that only falls, and falls at least like that of a Cauchy variable, r^-2:
 * then a gap holds its share of the rows in gap and cluster, by the integral of r^-2 over each. A gap that holds fewer is
 * evidence of a cloud of its own; the tail of an exponential column is long, but has no gap. `sorted`: all distances in
 * units of the good rows' scale, smallest first.
 */
export function separation(sorted: Float64Array, start: number): Separation {
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
      if (gapEnd - gapStart < LEAST_GAP) continue
      const inGap = ends[v] - before
      const gap = 1 / gapStart - 1 / gapEnd
      for (let w = v + 1; w < ends.length; w++) {
        const evidence = sparseness(inGap, gap, ends[w] - ends[v], 1 / gapEnd - 1 / sorted[first + ends[w]])
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
