/**
 * The truncation threshold of eq. (15): the smallest admissible weight tau, such that the rows with pi >= tau hold at
 * most a share `alpha` of all corruption that the weights expect (the bounded type II error). The paper asks for the
 * largest tau, which as written would keep only the best row; its code, and its intent, keep as many rows as possible.
 *
 * Undefined where not even the best row is admissible.
 */
export function truncationThreshold(weights: Float64Array, alpha = 0.05): number | undefined {
  const sorted = Float64Array.from(weights).sort()
  let total = 0
  for (let i = 0; i < sorted.length; i++) total += 1 - sorted[i]
  let kept = 0
  let tau: number | undefined
  for (let i = sorted.length - 1; i >= 0; i--) {
    kept += 1 - sorted[i]
    if (kept > alpha * total) break
    tau = sorted[i]
  }
  return tau
}

/** Sets the weights below tau to 0 (eq. 14). */
export function truncate(weights: Float64Array, tau: number): void {
  for (let i = 0; i < weights.length; i++) if (weights[i] < tau) weights[i] = 0
}
