import { factor, solve } from '../../linalg/cholesky.js'
import type { Offsets } from './offsets.js'
import { CELLS, cellOf, type Shells } from './shells.js'

/**
 * Bad rows in cells of constant density, beside good rows of a known density: the share of rows that is bad in each cell.
 * With a row's good density times the volume of its cell, a, the mass M of the cell and the share k of good rows, the
 * log-likelihood is sum log(k a + M), with k = 1 - sum M: concave, so that Newton's method finds its one maximum.
 */
export interface Masses {
  /** Share of bad rows. */
  readonly level: number
  /** Share of bad rows in each cell that is in use, by its slot. */
  readonly masses: Float64Array
}

/** The cells that have rows: few of all there are, so that they are numbered anew, by slots. */
export interface Cells {
  readonly counts: Float64Array
  readonly rows: number
  /** The cells in use, in the order in which `slot` numbers them. */
  readonly used: readonly number[]
  /** The slot of each value. */
  readonly slot: Uint16Array
}

/** At most half of the rows can be corrupted: the good ones are the majority. */
export const MAX_LEVEL = 0.5

/** The cells of values in shells. */
export function cellsOf(shells: Shells, { values, counts, rows }: Offsets): Cells {
  const slots = new Int32Array(CELLS).fill(-1)
  const used: number[] = []
  const slot = new Uint16Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const cell = cellOf(shells, values[i])
    if (slots[cell] < 0) slots[cell] = used.push(cell) - 1
    slot[i] = slots[cell]
  }
  return { counts, rows, used, slot }
}

/** Masses by cells from those by slots. */
export function byCell({ used }: Cells, masses: Float64Array): Float64Array {
  const out = new Float64Array(CELLS)
  for (let b = 0; b < used.length; b++) out[used[b]] = masses[b]
  return out
}

const MAX_STEPS = 60
/** Where Newton's steps end. Steps that a bound cuts short are small long before they are the last. */
const STILL = 1e-13

/**
 * The masses by good densities times cell volumes, `a`, from masses that are a guess; with the level held where one is
 * given.
 */
export function solveMasses(cells: Cells, a: Float64Array, guess: Float64Array, held?: number): Masses {
  let found = held === undefined ? maximum(cells, a, guess) : maximumAt(cells, a, guess, held)
  let level = held ?? found.reduce((sum, mass) => sum + mass, 0)
  if (level > MAX_LEVEL && held === undefined) {
    found = maximumAt(cells, a, found, MAX_LEVEL)
    level = MAX_LEVEL
  }
  return { level, masses: found }
}

/** Sums over each cell of 1 / d, 1 / d^2 and a / d^2, and over all of a / d and a^2 / d^2, with d = k a + M. */
interface Sums {
  readonly first: Float64Array
  readonly second: Float64Array
  readonly mixed: Float64Array
  good: number
  goodSquares: number
}

function sumUp({ counts, slot }: Cells, a: Float64Array, k: number, masses: Float64Array, sums: Sums): void {
  const { first, second, mixed } = sums
  first.fill(0)
  second.fill(0)
  mixed.fill(0)
  let good = 0
  let goodSquares = 0
  for (let i = 0; i < a.length; i++) {
    const b = slot[i]
    const inverse = 1 / Math.max(k * a[i] + masses[b], 1e-290)
    const one = counts[i] * inverse
    const share = a[i] * inverse
    first[b] += one
    second[b] += one * inverse
    mixed[b] += one * share
    good += counts[i] * share
    goodSquares += counts[i] * share * share
  }
  sums.good = good
  sums.goodSquares = goodSquares
}

function newSums(size: number): Sums {
  const zeros = (): Float64Array => new Float64Array(size)
  return { first: zeros(), second: zeros(), mixed: zeros(), good: 0, goodSquares: 0 }
}

/** The masses with the level free. */
function maximum(cells: Cells, a: Float64Array, start: Float64Array): Float64Array {
  const size = start.length
  const sums = newSums(size)
  let masses = start
  const gradient = new Float64Array(size)
  const slopes = (at: Float64Array): void => {
    sumUp(cells, a, 1 - at.reduce((sum, mass) => sum + mass, 0), at, sums)
    for (let b = 0; b < size; b++) gradient[b] = sums.first[b] - sums.good
  }
  slopes(masses)
  for (let k = 0; k < MAX_STEPS; k++) {
    const step = newtonStep(sums, gradient, masses, 1e-9 * cells.rows)
    let sum = 0
    let level = 0
    let slope = 0
    for (let b = 0; b < size; b++) {
      level += masses[b]
      sum += step[b]
      slope += gradient[b] * step[b]
    }
    // No farther than most of the way to where the share of good rows is 0.
    const most = level + sum > 0.999 ? Math.min(1, (0.9 * (1 - level)) / sum) : 1
    let next = masses
    for (let length = most; ; length /= 2) {
      next = masses.map((mass, b) => {
        const moved = mass + length * step[b]
        return moved > 1e-12 ? moved : 0
      })
      slopes(next)
      // Concave: where it does not fall along the step at its end as it rose at its start, the step was not too long.
      let onward = 0
      for (let b = 0; b < size; b++) onward += gradient[b] * step[b]
      if (onward >= -0.9 * slope || length < 1e-6) break
    }
    let moved = 0
    for (let b = 0; b < size; b++) moved = Math.max(moved, Math.abs(next[b] - masses[b]))
    masses = next
    if (moved < STILL) break
  }
  return masses
}

/**
 * Newton's step of all masses. Cells without bad rows that would gain none stay out; those that the step would take below 0
 * go to 0, and the others make the step again with that known.
 */
function newtonStep(sums: Sums, gradient: Float64Array, masses: Float64Array, gain: number): Float64Array {
  const step = new Float64Array(masses.length)
  let free: number[] = []
  for (let b = 0; b < masses.length; b++) if (masses[b] > 0 || gradient[b] > gain) free.push(b)
  const emptied: number[] = []
  while (free.length > 0) {
    const size = free.length
    const found = Float64Array.from(free, (b) => gradient[b])
    const curvature = new Float64Array(size * size)
    for (let i = 0; i < size; i++) {
      const b = free[i]
      const across = sums.goodSquares - sums.mixed[b]
      for (let j = 0; j < i; j++) curvature[i * size + j] = across - sums.mixed[free[j]]
      curvature[i * (size + 1)] = (across - sums.mixed[b] + sums.second[b]) * (1 + 1e-13)
      for (const gone of emptied) found[i] += (across - sums.mixed[gone]) * masses[gone]
    }
    solve(factor(curvature, size), found)
    const left: number[] = []
    for (let i = 0; i < size; i++) {
      const b = free[i]
      if (masses[b] + found[i] > 0) left.push(b)
      else emptied.push(b)
      step[b] = Math.max(found[i], -masses[b])
    }
    if (left.length === size) break
    free = left
  }
  return step
}

/** The masses with the level held: they only share it out. */
function maximumAt(cells: Cells, a: Float64Array, start: Float64Array, level: number): Float64Array {
  const size = start.length
  if (level === 0) return new Float64Array(size)
  const sums = newSums(size)
  let total = 0
  for (const mass of start) total += mass
  let masses = start.map((mass) => (total > 0 ? (level * mass) / total : level / size))
  sumUp(cells, a, 1 - level, masses, sums)
  for (let k = 0; k < MAX_STEPS; k++) {
    const step = sharedStep(sums, masses)
    const slope = along(sums, step)
    let next = masses
    for (let length = 1; ; length /= 2) {
      next = masses.map((mass, b) => {
        const moved = mass + length * step[b]
        return moved > 1e-13 ? moved : 0
      })
      sumUp(cells, a, 1 - level, next, sums)
      // Concave, as with the level free.
      if (along(sums, step) >= -0.9 * slope || length < 1e-6) break
    }
    let moved = 0
    for (let b = 0; b < size; b++) moved = Math.max(moved, Math.abs(next[b] - masses[b]))
    masses = next
    if (moved < STILL) break
  }
  return masses
}

/**
 * Newton's step of masses that keep their sum: with a cell's own curvature alone, a price of bad rows makes the moves sum to
 * 0. Cells without bad rows that are not worth the price stay out; those that the step would take below 0 go to 0.
 */
function sharedStep({ first, second }: Sums, masses: Float64Array): Float64Array {
  const step = new Float64Array(masses.length)
  const open = new Set<number>()
  const out = new Set<number>()
  for (let b = 0; b < masses.length; b++) (masses[b] > 0 ? open : out).add(b)
  let emptied = 0
  for (let changed = true; changed && open.size > 0; ) {
    changed = false
    let [top, bottom] = [-emptied, 0]
    for (const b of open) {
      top += first[b] / second[b]
      bottom += 1 / second[b]
    }
    const price = top / bottom
    for (const b of open) {
      step[b] = (first[b] - price) / second[b]
      if (masses[b] + step[b] >= 0) continue
      step[b] = -masses[b]
      emptied += masses[b]
      open.delete(b)
      changed = true
    }
    for (const b of out) {
      if (first[b] <= price * (1 + 1e-9)) continue
      out.delete(b)
      open.add(b)
      changed = true
    }
  }
  return step
}

/** The slope of the log-likelihood along a step. */
function along({ first }: Sums, step: Float64Array): number {
  let slope = 0
  for (let b = 0; b < step.length; b++) slope += first[b] * step[b]
  return slope
}
