/**
 * Bad rows in cells of constant density, beside good rows of a known density: the share of rows that is bad in each cell.
 * With a row's good density times the volume of its cell, a, a mass M and the share of good rows k, the log-likelihood
 * sum log(k a + M) is concave; at its maximum sum over a cell of 1 / (k a + M) = n.
 */
export interface Masses {
  /** Share of bad rows. */
  readonly level: number
  /** Share of bad rows in each cell. */
  readonly masses: Float64Array
}

export interface Cells {
  /** The cell of each value. */
  readonly cell: Uint8Array
  readonly counts: Float64Array
  readonly rows: number
  /** The cells in use, and the values in each. */
  readonly used: readonly { readonly cell: number; readonly members: Int32Array; readonly rows: number }[]
}

/** At most half of the rows can be corrupted: the good ones are the majority. */
export const MAX_LEVEL = 0.5

export function cellsOf(cell: Uint8Array, counts: Float64Array, rows: number): Cells {
  const members: number[][] = []
  for (let i = 0; i < cell.length; i++) {
    members[cell[i]] ??= []
    members[cell[i]].push(i)
  }
  const used = members.flatMap((list, number) => [
    { cell: number, members: Int32Array.from(list), rows: list.reduce((sum, i) => sum + counts[i], 0) },
  ])
  return { cell, counts, rows, used }
}

/** The masses by good densities times cell volumes, `a`; with the level held at `held`, where it is given. */
export function solveMasses(cells: Cells, a: Float64Array, guess: number, held?: number): Masses {
  const masses = new Float64Array(256)
  if (held !== undefined) return atLevel(cells, a, held, masses)
  const n = cells.rows
  const excess = (level: number): number => allMasses(cells, a, 1 - level, n, masses) - level
  if (!(excess(0) > 1e-15)) return { level: 0, masses: masses.fill(0) }
  if (excess(MAX_LEVEL) >= 0) return atLevel(cells, a, MAX_LEVEL, masses)
  const level = root(excess, 0, MAX_LEVEL, guess, 1e-13)
  // What the last call left are the masses at the root.
  const total = allMasses(cells, a, 1 - level, n, masses)
  return { level: total, masses }
}

function atLevel(cells: Cells, a: Float64Array, level: number, masses: Float64Array): Masses {
  if (level === 0) return { level, masses: masses.fill(0) }
  const excess = (log: number): number =>
    allMasses(cells, a, 1 - level, cells.rows * Math.exp(log), masses) - level
  // The price of a bad row at which just so many are: dearer than 1 below the best level, cheaper above it.
  let [low, high] = [-2, 2]
  while (excess(low) < 0 && low > -600) low *= 2
  while (excess(high) > 0 && high < 600) high *= 2
  const log = root(excess, low, high, 0, 1e-12)
  const total = allMasses(cells, a, 1 - level, cells.rows * Math.exp(log), masses)
  if (total > 0) for (let b = 0; b < masses.length; b++) masses[b] *= level / total
  return { level, masses }
}

/** The mass of every cell, by 1 / (k a + M) summing to `price`; their sum returned. */
function allMasses(cells: Cells, a: Float64Array, k: number, price: number, masses: Float64Array): number {
  let sum = 0
  for (const { cell, members, rows } of cells.used) {
    const mass = massOf(members, rows, cells.counts, a, k, price)
    masses[cell] = mass
    sum += mass
  }
  return sum
}

/** Newton's method on a convex falling function from below its root: it cannot overshoot. */
function massOf(
  members: Int32Array,
  rows: number,
  counts: Float64Array,
  a: Float64Array,
  k: number,
  price: number,
): number {
  let mean = 0
  for (let j = 0; j < members.length; j++) mean += counts[members[j]] * a[members[j]]
  let mass = Math.max(0, rows / price - (k * mean) / rows)
  for (let step = 0; step < 100; step++) {
    let sum = 0
    let slope = 0
    for (let j = 0; j < members.length; j++) {
      const i = members[j]
      const inverse = 1 / (k * a[i] + mass + 1e-300)
      const part = counts[i] * inverse
      sum += part
      slope += part * inverse
    }
    const gap = sum - price
    if (gap <= 1e-14 * price) return mass
    const move = gap / slope
    mass += move
    if (move <= 1e-12 * mass) return mass
  }
  return mass
}

/** The root of a function that is positive at `low` and negative at `high`, by regula falsi (Illinois). */
export function root(
  f: (x: number) => number,
  low: number,
  high: number,
  guess: number,
  tolerance: number,
): number {
  let [a, b] = [low, high]
  let fa = Number.NaN
  let fb = Number.NaN
  let side = 0
  let x = guess > low && guess < high ? guess : (low + high) / 2
  for (let k = 0; k < 100; k++) {
    const fx = f(x)
    if (Math.abs(fx) <= tolerance) return x
    if (fx > 0) {
      a = x
      fa = fx
      if (side > 0) fb /= 2
      side = 1
    } else {
      b = x
      fb = fx
      if (side < 0) fa /= 2
      side = -1
    }
    if (b - a <= tolerance * Math.max(1, Math.abs(b))) return (a + b) / 2
    const next = a + ((b - a) * fa) / (fa - fb)
    x = next > a && next < b ? next : (a + b) / 2
  }
  return x
}
