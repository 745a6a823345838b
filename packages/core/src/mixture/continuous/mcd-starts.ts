import type { Cloud } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { kthSmallest } from '../../linalg/kth-smallest.js'
import { invariantCoordinates } from './invariant-coordinates.js'

/** C-steps that every start makes, and those at most that the tightest of them make until nothing changes. */
const FIRST_STEPS = 2
const MAX_STEPS = 50
/** Starts that are followed to the end: six as in DetMCD, and more of few rows, which do not yet tell the best. */
const followed = (rows: number): number => Math.max(6, Math.min(40, Math.round(4000 / rows)))

interface Half<P> {
  readonly params: P
  readonly weights: Float64Array
  readonly logScale: number
}

/**
 * Models of the tightest half of the rows, by the C-steps of FAST-MCD (Rousseeuw and Van Driessen 1999). They start from
 * the shortest half along each of some coordinates. One of the invariant ones points at a cluster, if there is one, and its shortest
 * half holds none of it. As in DetMCD (Hubert, Rousseeuw and Verdonck 2012) nothing is drawn, so that no seed matters, and
 * the rows' order does not.
 */
export function mcdStarts<D, P extends Params>(
  likelihood: Cloud<D, P>,
  data: D,
  coordinates?: readonly Float64Array[],
): P[] {
  const x = likelihood.points(data)
  const half = Math.floor((x.rows + x.cols + 1) / 2)
  if (half >= x.rows) return []
  const concentrated = (halves: readonly Float64Array[], steps: number): Half<P>[] =>
    tightest(
      halves.flatMap((weights) => {
        const params = concentrate(likelihood, data, weights, half, steps)
        if (params.problem !== undefined) return []
        return [{ params, weights, logScale: likelihood.logScale(data, params) }]
      }),
    )
  const first = (coordinates ?? invariantCoordinates(x)).map((along) => shortestHalf(along, half))
  const best = concentrated(first, FIRST_STEPS).slice(0, followed(x.rows))
  return concentrated(
    best.map(({ weights }) => weights),
    MAX_STEPS,
  ).map(({ params }) => params)
}

/** The smallest scatter first; of starts that led to the same half, one. */
function tightest<P>(halves: Half<P>[]): Half<P>[] {
  const sorted = halves.sort((a, b) => a.logScale - b.logScale)
  return sorted.filter(({ logScale }, k) => k === 0 || logScale - sorted[k - 1].logScale > 1e-9)
}

/** C-steps in place, until the half stays as it is: each makes the scatter smaller, so they end. */
function concentrate<D, P extends Params>(
  likelihood: Cloud<D, P>,
  data: D,
  weights: Float64Array,
  half: number,
  steps: number,
): P {
  const squared = new Float64Array(weights.length)
  let params = likelihood.fit(data, weights)
  for (let step = 0; step < steps && params.problem === undefined; step++) {
    likelihood.squaredDistances(data, params, squared)
    if (!keepNearest(squared, half, weights)) break
    params = likelihood.fit(data, weights)
  }
  return params
}

/** Weight 1 for the `count` rows with the smallest values (ties too), 0 for the others; whether any weight changed. */
function keepNearest(values: Float64Array, count: number, weights: Float64Array): boolean {
  const cut = kthSmallest(values, count - 1) * (1 + 1e-9)
  let changed = false
  for (let i = 0; i < values.length; i++) {
    const weight = values[i] <= cut ? 1 : 0
    if (weight !== weights[i]) changed = true
    weights[i] = weight
  }
  return changed
}

/** Weight 1 for the `count` values that lie closest together. */
function shortestHalf(values: Float64Array, count: number): Float64Array {
  const sorted = Float64Array.from(values).sort()
  let from = 0
  for (let k = 1; k + count <= sorted.length; k++) {
    if (sorted[k + count - 1] - sorted[k] < sorted[from + count - 1] - sorted[from]) from = k
  }
  return values.map((value) => (value >= sorted[from] && value <= sorted[from + count - 1] ? 1 : 0))
}
