import { rowVector } from '../matrix.js'

let last: WeakRef<Float64Array> | undefined

/**
 * A vector for the caller's intermediate results, of unknown contents, until the next call. Long ones are used again:
 * fresh memory costs as much as the pass that first touches it. It is freed once a fit is over, when memory is needed.
 */
export function scratchVector(rows: number): Float64Array {
  const known = last?.deref()
  if (known?.length === rows) return known
  const fresh = rowVector(rows)
  last = new WeakRef(fresh)
  return fresh
}
