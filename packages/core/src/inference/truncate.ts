/**
 * The truncation threshold of eq. (15): the smallest admissible weight tau, such that the rows with pi >= tau hold at
 * most a share `alpha` of all corruption that the weights expect (the bounded type II error). The paper asks for the
 * largest tau, which as written would keep only the best row; its code, and its intent, keep as many rows as possible.
 *
 * Undefined where not even the best row is admissible.
 */
export function truncationThreshold(weights: Float64Array, alpha = 0.05): number | undefined {
  if (weights.length > MANY) return thresholdOfMany(weights, alpha)
  const sorted = Float64Array.from(weights).sort()
  let total = 0
  for (let i = 0; i < sorted.length; i++) total += 1 - sorted[i]
  return lowestAllowed(sorted, 0, alpha * total)
}

/** To sort more than these takes longer than the E-step. */
const MANY = 4096
const BINS = 4096

/** Only the weights near the threshold are sorted: it lies in the first bin, from above, that holds more than is allowed. */
function thresholdOfMany(weights: Float64Array, alpha: number): number | undefined {
  const sums = new Float64Array(BINS)
  for (let i = 0; i < weights.length; i++) sums[binOf(weights[i])] += 1 - weights[i]
  let total = 0
  for (let bin = 0; bin < BINS; bin++) total += sums[bin]
  let kept = 0
  let bin = BINS - 1
  while (bin > 0 && kept + sums[bin] <= alpha * total) kept += sums[bin--]
  const near = weights.filter((weight) => binOf(weight) === bin).sort()
  const lowest = lowestAllowed(near, kept, alpha * total)
  if (lowest !== undefined) return lowest
  let above: number | undefined
  for (let i = 0; i < weights.length; i++) {
    if (binOf(weights[i]) > bin && !(above !== undefined && above <= weights[i])) above = weights[i]
  }
  return above
}

function binOf(weight: number): number {
  return Math.min(BINS - 1, Math.floor(BINS * weight))
}

/** The lowest weight down to which no more corruption is expected than is allowed; `kept` is that of higher weights. */
function lowestAllowed(sorted: Float64Array, kept: number, allowed: number): number | undefined {
  let tau: number | undefined
  for (let i = sorted.length - 1; i >= 0; i--) {
    kept += 1 - sorted[i]
    if (kept > allowed) break
    tau = sorted[i]
  }
  return tau
}

/** Sets the weights below tau to 0 (eq. 14). */
export function truncate(weights: Float64Array, tau: number): void {
  for (let i = 0; i < weights.length; i++) if (weights[i] < tau) weights[i] = 0
}
