import { kthSmallest } from '../../linalg/kth-smallest.js'
import type { Matrix } from '../../matrix.js'

/** A pivot so small against its column's largest value is rounding: the rows lie on one plane already. */
const NO_PIVOT = 1e-10

/**
 * Of sets of as many rows as there are coefficients, the `count` whose planes pass nearest to `half` of all rows (least
 * quantile of squares, Rousseeuw 1984), the nearest first. Sets that determine no plane are left out.
 */
export function nearestPlanes(
  x: Matrix,
  y: Float64Array,
  intercept: boolean,
  sets: readonly Int32Array[],
  half: number,
  count: number,
): Int32Array[] {
  const design = designRows(x, intercept)
  const size = design.cols
  const largest = largestOfColumns(design)
  const equations = new Float64Array(size * (size + 1))
  const plane = new Float64Array(size)
  const far = new Float64Array(x.rows)
  const best = nearest<Int32Array>(count)
  for (const set of sets) {
    for (let r = 0; r < size; r++) {
      const row = set[r]
      for (let j = 0; j < size; j++) equations[r * (size + 1) + j] = design.values[row * size + j]
      equations[r * (size + 1) + size] = y[row]
    }
    if (!solveInPlace(equations, size, largest)) continue
    for (let j = 0; j < size; j++) plane[j] = equations[j * (size + 1) + size]
    if (distances(design, y, plane, best.limit(), x.rows - half, far))
      best.add(set, kthSmallest(far, half - 1))
  }
  return best.all()
}

/** How far each row is from a plane; false, and not all of them, once more than `most` are farther than `limit`. */
function distances(
  { rows, cols, values }: Matrix,
  y: Float64Array,
  plane: Float64Array,
  limit: number,
  most: number,
  out: Float64Array,
): boolean {
  for (let i = 0, at = 0, beyond = 0; i < rows; i++) {
    let residual = y[i]
    for (let j = 0; j < cols; j++, at++) residual -= values[at] * plane[j]
    out[i] = Math.abs(residual)
    if (out[i] > limit && ++beyond > most) return false
  }
  return true
}

/** The `count` things of least reach, in order; what reaches beyond `limit` is none of them. */
function nearest<T>(count: number): { limit(): number; add(thing: T, reach: number): void; all(): T[] } {
  let found: { thing: T; reach: number }[] = []
  let limit = Number.POSITIVE_INFINITY
  const shorten = (): void => {
    found = found.sort((a, b) => a.reach - b.reach).slice(0, count)
  }
  return {
    limit: () => limit,
    add(thing, reach) {
      found.push({ thing, reach })
      // Seldom enough to cost nothing.
      if (found.length < 2 * count) return
      shorten()
      limit = found[count - 1].reach
    },
    all() {
      shorten()
      return found.map(({ thing }) => thing)
    },
  }
}

function designRows(x: Matrix, intercept: boolean): Matrix {
  if (!intercept) return x
  const cols = x.cols + 1
  const values = new Float64Array(x.rows * cols)
  for (let i = 0; i < x.rows; i++) {
    values[i * cols] = 1
    for (let j = 0; j < x.cols; j++) values[i * cols + j + 1] = x.values[i * x.cols + j]
  }
  return { rows: x.rows, cols, values }
}

function largestOfColumns({ rows, cols, values }: Matrix): Float64Array {
  const out = new Float64Array(cols)
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) out[j] = Math.max(out[j], Math.abs(values[i * cols + j]))
  return out
}

/** Gauss-Jordan with the largest pivot of each column; the solution takes the place of the last column. False where there is none. */
function solveInPlace(equations: Float64Array, size: number, largest: Float64Array): boolean {
  const width = size + 1
  for (let k = 0; k < size; k++) {
    let pivot = k
    for (let r = k + 1; r < size; r++)
      if (Math.abs(equations[r * width + k]) > Math.abs(equations[pivot * width + k])) pivot = r
    const value = equations[pivot * width + k]
    if (!(Math.abs(value) > NO_PIVOT * largest[k])) return false
    for (let j = k; j < width; j++) {
      const swapped = equations[pivot * width + j]
      equations[pivot * width + j] = equations[k * width + j]
      equations[k * width + j] = swapped / value
    }
    for (let r = 0; r < size; r++) {
      const factor = equations[r * width + k]
      if (r === k || factor === 0) continue
      for (let j = k; j < width; j++) equations[r * width + j] -= factor * equations[k * width + j]
    }
  }
  return true
}
