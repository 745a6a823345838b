/**
 * A curve that takes the skewness out of a column: the logarithm or the cube root of 1 + g u, with u the value's distance from
 * the median in quartiles' scales, of slope 1 at the median. g = 0 would leave the column as it is, g > 0 draws in a long tail
 * on the right, g < 0 one on the left. Where good rows end on the short side the curve goes on as a straight line: so every
 * value has its place, and a law of good rows on the curve is a law of the column.
 */
export interface Bend {
  readonly middle: number
  readonly unit: number
  readonly g: number
  /** 0 for the logarithm, 1/3 for the cube root. */
  readonly power: number
  /** The value of 1 + g u below which the curve is straight. */
  readonly end: number
}

/** Cube root and logarithm: what makes gamma and Weibull columns nearly normal, and what makes lognormal ones so. */
export const POWERS: readonly number[] = [1 / 3, 0]
/** Curves are looked for between these g, either way; nearer to 0 than this they are straight lines. */
const PLACES = [0, 0.2, 0.5, 1, 1.7, 2.7, 4]
const STRAIGHT = 1e-3
const NEARBY = 0.2
const CLOSE = 0.004
/** Quartiles of a normal law are so many scales apart. */
const QUARTILES = 1.349
/** A column in which one value has this share of the rows is no measurement. */
const ONE_VALUE = 0.1
/** Good rows end where so small a share of their weight lies beyond, and the curve is straight from there at the latest. */
const EDGE = 0.002
const LEAST = 0.01
/** A row of less weight is not good. */
const GOOD = 0.5

/** The value on the curve, in the column's units. */
export function bent(bend: Bend, value: number): number {
  const { middle, unit, g } = bend
  return middle + (unit * curve(bend, 1 + (g * (value - middle)) / unit)) / g
}

/** log of the curve's slope. */
export function logSlope({ middle, unit, g, power, end }: Bend, value: number): number {
  return (power - 1) * Math.log(Math.max(1 + (g * (value - middle)) / unit, end))
}

function curve({ power, end }: Pick<Bend, 'power' | 'end'>, v: number): number {
  if (v >= end) return power === 0 ? Math.log(v) : (v ** power - 1) / power
  const last = power === 0 ? Math.log(end) : (end ** power - 1) / power
  return last + (v - end) * end ** (power - 1)
}

/**
 * The curve of a kind on which good rows' values are most nearly normal, and how much more likely they are on it; undefined
 * for values that pile up. It is looked for near a g, where one is given.
 */
export function bestBend(
  values: Float64Array,
  weights: Float64Array,
  power: number,
  near?: number,
): { readonly bend: Bend; readonly gain: number } | undefined {
  const place = placeOf(values)
  if (place === undefined) return undefined
  const u = values.map((value) => (value - place.middle) / place.unit)
  const [first, last] = edgesOf(u, weights)
  const at = (g: number): Bend => ({
    ...place,
    g,
    power,
    end: Math.max(LEAST, 1 + g * (g > 0 ? first : last)),
  })
  const plain = fitness(u, weights, undefined)
  const gainAt = (g: number): number => (Math.abs(g) < STRAIGHT ? 0 : fitness(u, weights, at(g)) - plain)
  const g = maximum(gainAt, near)
  return Math.abs(g) < STRAIGHT ? undefined : { bend: at(g), gain: gainAt(g) }
}

/** Near a place, or the best of several, by golden sections. */
function maximum(f: (g: number) => number, near?: number): number {
  let [low, high] = near === undefined ? bracket(f) : [near - NEARBY, near + NEARBY]
  const section = (Math.sqrt(5) - 1) / 2
  let [a, b] = [high - section * (high - low), low + section * (high - low)]
  let [fa, fb] = [f(a), f(b)]
  while (high - low > CLOSE) {
    if (fa > fb) {
      ;[high, b, fb] = [b, a, fa]
      a = high - section * (high - low)
      fa = f(a)
    } else {
      ;[low, a, fa] = [a, b, fb]
      b = low + section * (high - low)
      fb = f(b)
    }
  }
  return (low + high) / 2
}

/** The neighbours of the best of some places on the side to which it rises. */
function bracket(f: (g: number) => number): [number, number] {
  const side = f(PLACES[1]) >= f(-PLACES[1]) ? 1 : -1
  let best = 0
  let most = 0
  for (let k = 1; k < PLACES.length; k++) {
    const height = f(side * PLACES[k])
    if (height > most) [best, most] = [k, height]
  }
  const ends = [side * PLACES[Math.max(0, best - 1)], side * PLACES[Math.min(PLACES.length - 1, best + 1)]]
  return side > 0 ? [ends[0], ends[1]] : [ends[1], ends[0]]
}

/** Normal log-likelihood of the values on a curve, per unit of the column, with mean and scale at their best. */
function fitness(u: Float64Array, weights: Float64Array, bend: Bend | undefined): number {
  let [total, sum, squares, slopes] = [0, 0, 0, 0]
  for (let i = 0; i < u.length; i++) {
    const w = weights[i]
    if (w < 1e-3) continue
    let z = u[i]
    if (bend !== undefined) {
      const v = 1 + bend.g * z
      slopes += w * (bend.power - 1) * Math.log(Math.max(v, bend.end))
      z = curve(bend, v) / bend.g
    }
    total += w
    sum += w * z
    squares += w * z * z
  }
  return slopes - 0.5 * total * Math.log(squares / total - (sum / total) ** 2)
}

/** Where good rows end on the left and on the right. */
function edgesOf(u: Float64Array, weights: Float64Array): readonly [number, number] {
  const good = u.filter((_, i) => weights[i] > GOOD).sort()
  if (good.length === 0) return [0, 0]
  return [quantile(good, EDGE), quantile(good, 1 - EDGE)]
}

function placeOf(values: Float64Array): { readonly middle: number; readonly unit: number } | undefined {
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  const most = Math.max(2, Math.ceil(ONE_VALUE * n))
  for (let i = 0; i + most < n; i++) if (sorted[i] === sorted[i + most]) return undefined
  const unit = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / QUARTILES
  return unit > 0 ? { middle: quantile(sorted, 0.5), unit } : undefined
}

function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low])
}
