import { rowVector } from '../matrix.js'

/** From so many numbers on, a vector that nobody uses may be collected. */
const LONG = 65536

/**
 * A vector for a function's intermediate results, of unknown contents, good until the function's next call. It is used
 * again and again: for short vectors allocating costs more than the work on them, and for long ones the first touch of
 * fresh memory costs as much as a pass. Long ones are freed after the fit, when memory is needed.
 */
export function scratch(): (length: number) => Float64Array {
  let short: Float64Array | undefined
  let long: WeakRef<Float64Array> | undefined
  return (length) => {
    const known = length < LONG ? short : long?.deref()
    if (known?.length === length) return known
    const fresh = rowVector(length)
    if (length < LONG) short = fresh
    else long = new WeakRef(fresh)
    return fresh
  }
}
