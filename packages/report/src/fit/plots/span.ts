/** A part of an axis, and how many values lie beyond it. */
export interface Span {
  readonly domain: readonly [number, number]
  readonly beyond: number
}

/** How many times the good values' range an axis reaches beyond it on either side. */
const REACH = 4

/** The part of an axis that shows all values, unless some lie so far out that the good ones would be a line. */
export function span(values: readonly number[], isGood: (k: number) => boolean): Span {
  const trusted = values.filter((value, k) => Number.isFinite(value) && isGood(k))
  const [low, high] = rangeOf(trusted.length > 1 ? trusted : values)
  const wide = high - low || Math.abs(high) || 1
  const [least, most] = rangeOf(values)
  const from = Math.max(least, low - REACH * wide)
  const to = Math.min(most, high + REACH * wide)
  const edge = 0.04 * (to - from || 1)
  const beyond = values.reduce((count, value) => (value < from || value > to ? count + 1 : count), 0)
  return { domain: [from - edge, to + edge], beyond }
}

function rangeOf(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? [low, high] : [0, 1]
}
