/** One step of a map, and how good the point is that it set out from. Undefined where the map leads nowhere. */
export type Step = (from: Float64Array) => { readonly next: Float64Array; readonly value: number } | undefined

export interface FixedPointOptions {
  /** Steps, at most. */
  readonly iterations: number
  /** A step that gains less than this is the last. */
  readonly tolerance: number
  /** Whether a point that was leapt to can be stepped from. */
  readonly allowed: (point: Float64Array) => boolean
}

/** A leap goes no farther than so many steps. */
const FARTHEST = 64

/**
 * The fixed point of a map that climbs slowly, such as EM: two steps, then a leap along the parabola through them (SQUAREM,
 * Varadhan and Roland 2008). A leap that ends lower than it began is taken back, so that the value never falls.
 */
export function fixedPoint(
  step: Step,
  start: Float64Array,
  { iterations, tolerance, allowed }: FixedPointOptions,
): { readonly point: Float64Array; readonly value: number } | undefined {
  let from = start
  let last = Number.NEGATIVE_INFINITY
  let farthest = 1
  let leapt: { readonly back: Float64Array } | undefined
  for (let k = 0; k < iterations; ) {
    const first = step(from)
    k++
    if (leapt !== undefined && (first === undefined || !(first.value >= last))) {
      from = leapt.back
      leapt = undefined
      farthest = Math.max(1, farthest / 4)
      continue
    }
    if (first === undefined) return undefined
    if (k > 1 && first.value - last < tolerance) return { point: first.next, value: first.value }
    last = first.value
    if (k === iterations) return { point: first.next, value: last }
    const second = step(first.next)
    k++
    if (second === undefined) return undefined
    const gain = second.value - last
    last = second.value
    // A leap that nobody looks at is none.
    if (gain < tolerance || k >= iterations) return { point: second.next, value: last }
    const leap = parabola(from, first.next, second.next, farthest)
    if (leap.length === farthest) farthest = Math.min(4 * farthest, FARTHEST)
    leapt = leap.length > 1 && allowed(leap.to) ? { back: second.next } : undefined
    from = leapt === undefined ? second.next : leap.to
  }
  return { point: from, value: last }
}

/** The point `length` steps along the parabola through three points, as far as their second difference says, within `farthest`. */
function parabola(
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  farthest: number,
): { readonly to: Float64Array; readonly length: number } {
  let steps = 0
  let bends = 0
  for (let i = 0; i < a.length; i++) {
    steps += (b[i] - a[i]) ** 2
    bends += (c[i] - 2 * b[i] + a[i]) ** 2
  }
  const length = Math.max(1, Math.min(farthest, Math.sqrt(steps / bends)))
  const to = a.map(
    (value, i) => value + 2 * length * (b[i] - value) + length ** 2 * (c[i] - 2 * b[i] + value),
  )
  return { to, length }
}
