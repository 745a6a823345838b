export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array
  /** Unit vectors, one a row, in the order of the values. */
  readonly vectors: Float64Array
}

/**
 * Eigenvalues and vectors of a symmetric matrix given by its lower triangle (size x size, row by row): by reflections to a
 * matrix of three diagonals, and from there by QR steps with Wilkinson's shift. Written here because a library of matrices
 * takes longer to load than a small fit to be made.
 */
export function symmetricEigen(lower: Float64Array, size: number): Eigen {
  // Entries are squared: in units of the largest they cannot overflow.
  let most = 0
  for (let j = 0; j < size; j++)
    for (let k = 0; k <= j; k++) most = Math.max(most, Math.abs(lower[j * size + k]))
  const unit = most > 0 && Number.isFinite(most) ? most : 1
  const full = new Float64Array(size * size)
  for (let j = 0; j < size; j++)
    for (let k = 0; k <= j; k++) full[j * size + k] = full[k * size + j] = lower[j * size + k] / unit
  const { diagonal, beside, rotation } = tridiagonal(full, size)
  diagonalise(diagonal, beside, rotation)
  const order = Array.from(diagonal, (_, k) => k).sort((a, b) => diagonal[b] - diagonal[a])
  const values = Float64Array.from(order, (k) => unit * diagonal[k])
  const vectors = new Float64Array(size * size)
  order.forEach((k, to) => {
    vectors.set(rotation.subarray(k * size, (k + 1) * size), to * size)
  })
  return { values, vectors }
}

interface Tridiagonal {
  readonly diagonal: Float64Array
  /** Entry k stands beside the diagonal's entries k and k + 1. */
  readonly beside: Float64Array
  /** The basis in which the matrix has these diagonals, a vector a row. */
  readonly rotation: Float64Array
}

/** Householder's reflections, column by column; `a` is used up. */
function tridiagonal(a: Float64Array, n: number): Tridiagonal {
  const beside = new Float64Array(Math.max(n - 1, 0))
  const factors = new Float64Array(n)
  const product = new Float64Array(n)
  for (let k = 0; k + 1 < n; k++) {
    // The reflection that leaves nothing of column k below the entry beside the diagonal; its vector stays in the column.
    const size = inUnits(a, n, k)
    let square = 0
    for (let i = k + 2; i < n; i++) square += a[i * n + k] ** 2
    const first = a[(k + 1) * n + k]
    if (square === 0) {
      beside[k] = first / size
      continue
    }
    const length = first > 0 ? -Math.sqrt(first * first + square) : Math.sqrt(first * first + square)
    beside[k] = length / size
    a[(k + 1) * n + k] = first - length
    const factor = 2 / ((first - length) ** 2 + square)
    factors[k] = factor
    // A - v w' - w v' with w = p - (factor / 2)(v'p) v and p = factor A v is the matrix between two such reflections.
    let inner = 0
    for (let i = k + 1; i < n; i++) {
      let sum = 0
      for (let j = k + 1; j < n; j++) sum += a[i * n + j] * a[j * n + k]
      product[i] = factor * sum
      inner += product[i] * a[i * n + k]
    }
    for (let i = k + 1; i < n; i++) product[i] -= 0.5 * factor * inner * a[i * n + k]
    for (let i = k + 1; i < n; i++) {
      const [v, w] = [a[i * n + k], product[i]]
      for (let j = k + 1; j < n; j++) a[i * n + j] -= v * product[j] + w * a[j * n + k]
    }
  }
  const diagonal = Float64Array.from({ length: n }, (_, k) => a[k * n + k])
  return { diagonal, beside, rotation: reflected(a, factors, n) }
}

/**
 * Multiplies column k below the diagonal by a power of two, which it returns and which costs no digit, so that its largest entry is
 * about 1: squares of entries that are tiny beside the others would vanish.
 */
function inUnits(a: Float64Array, n: number, k: number): number {
  let most = 0
  for (let i = k + 1; i < n; i++) most = Math.max(most, Math.abs(a[i * n + k]))
  if (!(most > 0 && most < Number.POSITIVE_INFINITY)) return 1
  const size = 2 ** Math.min(-Math.floor(Math.log2(most)), 1000)
  for (let i = k + 1; i < n; i++) a[i * n + k] *= size
  return size
}

/** The product of the reflections, transposed: the last one changes the fewest entries, so it comes first. */
function reflected(a: Float64Array, factors: Float64Array, n: number): Float64Array {
  const q = new Float64Array(n * n)
  for (let k = 0; k < n; k++) q[k * n + k] = 1
  for (let k = n - 3; k >= 0; k--) {
    if (factors[k] === 0) continue
    for (let i = k + 1; i < n; i++) {
      let sum = 0
      for (let j = k + 1; j < n; j++) sum += q[i * n + j] * a[j * n + k]
      sum *= factors[k]
      for (let j = k + 1; j < n; j++) q[i * n + j] -= sum * a[j * n + k]
    }
  }
  return q
}

/** QR steps until nothing is left beside the diagonal; the rows of `rotation` turn with it. */
function diagonalise(d: Float64Array, e: Float64Array, rotation: Float64Array): void {
  let last = d.length - 1
  while (last > 0) {
    if (isNothing(d, e, last - 1)) {
      last--
      continue
    }
    let first = last - 1
    while (first > 0 && !isNothing(d, e, first - 1)) first--
    qrStep(d, e, rotation, first, last)
  }
}

/** Beside entries of at most 1 this is nothing, whatever its neighbours are. */
const TINY = 1e-290

/** Also where something is not finite, which no step would cure. */
function isNothing(d: Float64Array, e: Float64Array, k: number): boolean {
  return !(Math.abs(e[k]) > Number.EPSILON * (Math.abs(d[k]) + Math.abs(d[k + 1])) + TINY)
}

/** One step of the implicit QR iteration on the entries from `first` to `last`, by rotations of neighbours. */
function qrStep(d: Float64Array, e: Float64Array, rotation: Float64Array, first: number, last: number): void {
  const n = d.length
  const half = (d[last - 1] - d[last]) / 2
  const off = e[last - 1]
  const shift = d[last] - off * (off / (half + (half < 0 ? -1 : 1) * Math.hypot(half, off)))
  let x = d[first] - shift
  let z = e[first]
  for (let k = first; k < last; k++) {
    const length = Math.hypot(x, z)
    const [c, s] = length === 0 ? [1, 0] : [x / length, z / length]
    if (k > first) e[k - 1] = length
    const [above, below, between] = [d[k], d[k + 1], e[k]]
    d[k] = c * c * above + 2 * c * s * between + s * s * below
    d[k + 1] = s * s * above - 2 * c * s * between + c * c * below
    e[k] = c * s * (below - above) + (c * c - s * s) * between
    if (k + 1 < last) {
      x = e[k]
      z = s * e[k + 1]
      e[k + 1] *= c
    }
    for (let j = 0, [a, b] = [k * n, (k + 1) * n]; j < n; j++) {
      const [up, down] = [rotation[a + j], rotation[b + j]]
      rotation[a + j] = c * up + s * down
      rotation[b + j] = c * down - s * up
    }
  }
}
