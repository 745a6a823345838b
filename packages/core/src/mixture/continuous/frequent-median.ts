/** A median that comes so many standard deviations oftener than its neighbours let expect was filled in. */
const CLEARLY = 4
/** Where another value that comes half as often is so many oftener, people round. */
const LIKEWISE = 3
const COMPARABLE = 0.5
const FEWEST = 5
/** Neighbours between these numbers of steps tell how often the median should come, at best as far as one standard deviation. */
const NEAREST = 2
const FARTHEST = 12
/** Values lie on steps where so small a part of one is left over. */
const OFF = 1e-6

/**
 * The median of a column of whole numbers, or of other values on steps, where it comes oftener than the numbers about it let expect: missing values
 * were filled in by it. None where other values stand out as well: there people round.
 */
export function frequentMedian(values: Float64Array): number | undefined {
  const sorted = values.toSorted()
  const median = sorted[Math.floor(sorted.length / 2)]
  const counts = new Map<number, number>()
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1)
  if (counts.get(median)! < FEWEST) return undefined
  const others = [...counts.keys()].filter((value) => value !== median)
  const step = stepOf(others)
  if (step === undefined) return undefined
  const least = others[0]
  // How often each step comes, but for the median.
  const often = new Float64Array(Math.round((others[others.length - 1] - least) / step) + 1)
  for (const value of others) often[Math.round((value - least) / step)] = counts.get(value)!
  const reach = Math.min(FARTHEST, Math.max(NEAREST, Math.floor(spreadOf(sorted) / step)))
  const at = (median - least) / step
  const place = Math.round(at)
  // Between two steps, as the median of an even number of values may lie, nothing else does.
  if (Math.abs(at - place) > OFF) return median
  const own = counts.get(median)!
  const excess = (k: number, count: number): number => excessOf(often, k, count, reach, place)
  if (excess(place, own) < CLEARLY) return undefined
  const rounded = often.some(
    (count, k) => k !== place && count >= COMPARABLE * own && excess(k, count) >= LIKEWISE,
  )
  return rounded ? undefined : median
}

/** The step that all values are multiples of, from the least of them on. */
function stepOf(values: readonly number[]): number | undefined {
  if (values.length < 3) return undefined
  let step = Number.POSITIVE_INFINITY
  for (let k = 1; k < values.length; k++) step = Math.min(step, values[k] - values[k - 1])
  const places = (values[values.length - 1] - values[0]) / step
  if (places > 4 * values.length) return undefined
  const onSteps = values.every((value) => {
    const place = (value - values[0]) / step
    return Math.abs(place - Math.round(place)) <= OFF * Math.max(1, place)
  })
  return onSteps ? step : undefined
}

/** Half of the distance in which two thirds of the values lie. */
function spreadOf(sorted: Float64Array): number {
  const n = sorted.length
  return (sorted[Math.floor(0.84 * n)] - sorted[Math.floor(0.16 * n)]) / 2
}

/** By how many standard deviations a step comes oftener than a parabola through the counts about it says; steps at the ends are not judged, nor is the median among the neighbours. */
function excessOf(often: Float64Array, at: number, count: number, most: number, median: number): number {
  const reach = Math.min(most, at, often.length - 1 - at)
  if (reach < NEAREST) return 0
  // By symmetry the parabola's height in the middle needs the sums of even powers alone.
  let [n, squares, fourths, sum, sumSquares] = [0, 0, 0, 0, 0]
  for (let d = 1; d <= reach; d++) {
    if (at - d === median || at + d === median) continue
    const pair = often[at - d] + often[at + d]
    n += 2
    squares += 2 * d * d
    fourths += 2 * d ** 4
    sum += pair
    sumSquares += d * d * pair
  }
  const determinant = n * fourths - squares * squares
  if (!(determinant > 0)) return 0
  const expected = Math.max(0, (fourths * sum - squares * sumSquares) / determinant)
  const own = (fourths / determinant) * (sum / Math.max(1, n))
  return (count - expected) / Math.sqrt(Math.max(1, expected + own))
}
